! The array is written on the device and mapped to only.
! SPDX-License-Identifier: GPL-3.0-or-later

program stale
  implicit none
  integer, parameter :: n = 1000
  real(8), allocatable :: a(:)
  real(8) :: s
  integer :: i
  allocate (a(n))
  a = 0
  !$omp target teams distribute parallel do map(to: a)
  do i = 1, n
    a(i) = i
  end do
  s = 0
  do i = 1, n
    s = s + a(i) ! fault: stale on the host
  end do
  print *, s
end program
