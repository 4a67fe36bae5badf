! Constructs in a module's subroutines, of its allocatable arrays.
! SPDX-License-Identifier: GPL-3.0-or-later
module ocean_state
  implicit none
  integer, parameter :: n = 20000
  real(8), allocatable :: depth(:), height(:), current(:)
contains
  subroutine accelerate (dt)
    real(8), intent(in) :: dt
    integer :: i
!$omp target teams distribute parallel do map(to: depth, height) map(tofrom: current) ! HERE
    do i = 1, n
      current(i) = current(i) - dt * height(i) / depth(i)
    end do
  end subroutine accelerate

  subroutine rise (dt)
    real(8), intent(in) :: dt
    integer :: i
!$omp target teams distribute parallel do map(to: depth, current) map(tofrom: height) ! HERE
    do i = 1, n
      height(i) = height(i) + dt * depth(i) * current(i)
    end do
  end subroutine rise
end module ocean_state

program ocean
  use ocean_state
  implicit none
  integer :: i, step
  allocate (depth(n), height(n), current(n))
  do i = 1, n
    depth(i) = 1 + mod (i, 5)
    height(i) = mod (i, 3)
    current(i) = 0
  end do
#ifdef MENDED
!$omp target data map(to: depth) map(tofrom: height, current)
#endif
  do step = 1, 12 ! LOOP
    call accelerate (0.125d0)
    call rise (0.125d0)
  end do
#ifdef MENDED
!$omp end target data
#endif
  print '(es22.15)', sum (height) + sum (current)
end program ocean
