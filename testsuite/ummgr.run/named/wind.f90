! Part of named.exp: components of a derived type, one of them called data, and allocatable arrays.
! SPDX-License-Identifier: GPL-3.0-or-later
module weather
  implicit none
  integer, parameter :: n = 20000
  type grid
    real(8), pointer :: rain(:), data(:)
  end type
  type(grid) :: g
  real(8), allocatable :: base(:)
contains
  subroutine fall (to)
    type(grid), intent(inout) :: to
    integer :: i
    !$omp target teams distribute parallel do map(to: to%rain) map(tofrom: to%data)
    do i = 1, n
      to%data(i) = to%data(i) + to%rain(i)
    end do
  end subroutine
  subroutine soak (u)
    real(8), intent(inout) :: u(:)
    integer :: i
    !$omp target teams distribute parallel do map(tofrom: u)
    do i = 1, n
      u(i) = u(i) * 0.5d0
    end do
  end subroutine
end module
program wind
  use weather
  real(8), allocatable :: speed(:)
  integer :: t, i
  allocate (g%rain(n), g%data(n), base(n), speed(n))
  g%rain = 1
  g%data = 2
  base = 3
  speed = 4
  do t = 1, 3
    call fall (g)
    call soak (base)
    !$omp target teams distribute parallel do map(tofrom: speed)
    do i = 1, n
      speed(i) = speed(i) + 1
    end do
  end do
  print '(3f8.3)', g%data(7), base(7), speed(7)
end program
