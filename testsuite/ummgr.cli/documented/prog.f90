! Any program in Fortran.
! SPDX-License-Identifier: GPL-3.0-or-later
program prog
  implicit none
  integer, parameter :: n = 50000
  real(8), allocatable :: a(:)
  integer :: i
  allocate (a(n))
  a = 1
  !$omp target teams distribute parallel do map(tofrom: a)
  do i = 1, n
    a(i) = a(i) + i
  end do
  if (sum (a) /= n + 0.5d0 * n * (n + 1)) stop 1
end program
