! Allocatable arrays, sections and a reduction.
! SPDX-License-Identifier: GPL-3.0-or-later

program right
  implicit none
  integer, parameter :: n = 1000
  real(8), allocatable :: a(:), b(:, :)
  real(8) :: s
  integer :: i, j
  allocate (a(n), b(n, 4))
  b = 1
  s = 0
  !$omp target data map(from: a) map(to: b)
  !$omp target teams distribute parallel do
  do i = 1, n
    a(i) = b(i, 1) + b(i, 4)
  end do
  !$omp target teams distribute parallel do reduction(+: s) map(tofrom: s) private(j)
  do i = 1, n
    do j = 1, 4
      s = s + b(i, j) * a(i)
    end do
  end do
  !$omp end target data
  print *, s, a(3)
end program
