/* Containers forbid userfaultfd, and some protection keys: then faults can't be
   counted, one warning says so, and the program runs as it would.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-output um "warning: simcuda: no userfaultfd with minor faults on shared memory .Operation not permitted.: page faults on managed memory are not counted" } */
/* { dg-ummgr-counter um gpu_faults == 0 } */
/* { dg-ummgr-counter all launches == 3 } */

#include "check.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

enum { N = 300000, NEW_USERFAULTFD = 0xaa00 };	/* _IO (0xaa, 0).  */

#define LOAD(FIELD)                                                           \
  BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, FIELD))
/* If what was loaded is VALUE, skip YES instructions, else NO.  */
#define IF(VALUE, YES, NO)                                                    \
  BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, (VALUE), (YES), (NO))

static void
forbid (void)
{
  struct sock_filter filter[] = {
    LOAD (nr),
    IF (SYS_userfaultfd, 4, 0),
    IF (SYS_pkey_alloc, 3, 0),
    IF (SYS_ioctl, 0, 3),
    LOAD (args[1]),
    IF (NEW_USERFAULTFD, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1), /* EPERM  */
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
  };
  struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
  CHECK (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  CHECK (prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

int
main (void)
{
  forbid ();
  double *a = malloc (N * sizeof *a), *b = malloc (N * sizeof *b);
  CHECK (a && b);
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp target data map(to: a[:N]) map(from: b[:N])
  for (int k = 1; k <= 3; k++)
    {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
	b[i] = k * a[i];
    }
  for (int i = 0; i < N; i++)
    CHECK (b[i] == 3.0 * i);
  free (a);
  free (b);
  return 0;
}
