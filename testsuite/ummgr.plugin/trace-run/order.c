/* What comes before and after a loop that is as long as data say: would break if
   it were reported for all iterations of the loop around it at once, as that
   reorders the pages of a trace.  Lengths are of 8 bytes, numbers of 4, sums
   of 2.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { log-order -O2 {R8 R4 W2 R8 R4 R4 W2 R8 R4 W2} } */
/* { log-lines {^L } -O0 0 -O2 3 } */

static long lengths[3] = { 1, 2, 1 };
static int numbers[2] = { 3, 4 };
static short sums[3];

__attribute__ ((noipa)) static void
add (short *restrict to, const int *restrict x, const long *restrict n, long count)
{
  for (long i = 0; i < count; i++)
    {
      int sum = 0;
      for (long j = 0; j < n[i]; j++)
	sum += x[j];
      to[i] = sum;
    }
}

__attribute__ ((no_instrument_function, noipa)) static int
check (void)
{
  return sums[0] != 3 || sums[1] != 7 || sums[2] != 3;
}

int
main (void)
{
  add (sums, numbers, lengths, 3);
  return check ();
}
