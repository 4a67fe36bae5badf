! Module variables of the device's own: see statics.exp.
! SPDX-License-Identifier: GPL-3.0-or-later
module field
  implicit none
  integer, parameter :: n = 40000
  real(8) :: u(n), f(n)                 ! place of u f
  !$omp declare target (u, f)
end module field

program main
  use field
  implicit none
  integer :: i, k
  do i = 1, n
    u(i) = i
  end do
  !$omp target update to(u)
  do k = 1, 2
    !$omp target teams distribute parallel do
    do i = 1, n
      f(i) = 2 * u(i)
    end do
  end do
  !$omp target update from(f)
  print *, f(7)
  if (f(7) /= 14) stop 1
end program main
