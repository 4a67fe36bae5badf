/* TEST, a program of GCC's, as a target region; its main takes ARGUMENTS.
   SPDX-License-Identifier: GPL-3.0-or-later

   exit ends the calling thread alone, so the region has one, and the status is kept.  In what GCC 14 has of newlib it
   is abort in a region: PTX's own is taken, which is nothing to the host's assembler.  GCC 12 would show the macro to
   the GPU's, too.  */

#if __GNUC__ >= 14
__asm__ (".macro exit\n.endm");
# define END_THREAD() __asm__ volatile ("exit;")
#else
# define END_THREAD() (void) 0
#endif

#pragma omp declare target
void test_exit (int);
#define main test_main
#define exit test_exit
#define __builtin_exit test_exit
#include TEST
#undef main
#undef exit
#undef __builtin_exit
void exit (int) __attribute__ ((noreturn));
int test_status = -1;

void
test_exit (int status)
{
  test_status = status;
  END_THREAD ();
  exit (status);
}
#pragma omp end declare target

int
main (void)
{
#pragma omp target teams num_teams (1) thread_limit (1)
  test_status = test_main (ARGUMENTS);
#pragma omp target update from(test_status)
  return test_status;
}
