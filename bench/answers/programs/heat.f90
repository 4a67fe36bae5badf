! Heat in a rod: two allocatable arrays go back and forth in each step.
! SPDX-License-Identifier: GPL-3.0-or-later
program heat
  implicit none
  integer, parameter :: n = 20000
  real(8), allocatable :: old(:), new(:)
  integer :: i, step
  allocate (old(n), new(n))
  do i = 1, n
    old(i) = mod (i, 10)
    new(i) = old(i)
  end do
#ifdef MENDED
!$omp target data map(tofrom: old, new)
#endif
  do step = 1, 12 ! LOOP
!$omp target teams distribute parallel do map(to: old) map(tofrom: new) ! HERE
    do i = 2, n - 1
      new(i) = old(i) + 0.25d0 * (old(i - 1) - 2 * old(i) + old(i + 1))
    end do
!$omp target teams distribute parallel do map(to: new) map(tofrom: old) ! HERE
    do i = 2, n - 1
      old(i) = new(i)
    end do
  end do
#ifdef MENDED
!$omp end target data
#endif
  print '(es22.15)', sum (old) + sum (new)
end program heat
