! Teams write to one element.
! SPDX-License-Identifier: GPL-3.0-or-later

program race
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), most(1)
  integer :: i
  do i = 1, n
    a(i) = mod (7 * i, n)
  end do
  most = 0
  !$omp target teams distribute num_teams(8) map(to: a) map(tofrom: most)
  do i = 1, n
    most(1) = most(1) + a(i) ! fault: race
  end do
  print *, most(1)
end program
