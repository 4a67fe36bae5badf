! Waves in a basin: Fortran, pointer components, type-bound procedures, and a `target data'
! construct around the steps.  GCC 12 maps components of a class one by one, so that only one
! can be: there they are in local pointers.
! SPDX-License-Identifier: GPL-3.0-or-later
module basin_mod
  implicit none
  type basin
    integer :: n
    real(8), pointer :: h(:), u(:), depth(:)
  contains
    procedure :: create
    procedure :: momentum
  end type
contains
  subroutine create (this, n)
    class(basin), intent(inout) :: this
    integer, intent(in) :: n
    integer :: i
    this%n = n
    allocate (this%h(n), this%u(0:n), this%depth(n))
    this%u = 0
    do i = 1, n
      this%h(i) = merge (0.1d0, 0d0, i < n / 2)
      this%depth(i) = 10 + mod (i, 7)
    end do
  end subroutine

  subroutine momentum (this, dt)
    class(basin), intent(inout) :: this
    real(8), intent(in) :: dt
    real(8), pointer :: h(:), u(:)
    integer :: i, n
    n = this%n
    h => this%h
    u => this%u
    !$omp target teams distribute parallel do map(to: h) map(tofrom: u)
    do i = 1, n - 1
      u(i) = u(i) - dt * 9.81d0 * (h(i + 1) - h(i))
    end do
  end subroutine

  subroutine continuity (this, dt)
    type(basin), intent(inout) :: this
    real(8), intent(in) :: dt
    integer :: i, n
    n = this%n
    !$omp target teams distribute parallel do map(to: this%u, this%depth) map(tofrom: this%h)
    do i = 1, n
      this%h(i) = this%h(i) - dt * this%depth(i) * (this%u(i) - this%u(i - 1))
    end do
  end subroutine

  ! Where it is shallow.
  subroutine friction (this, dt)
    type(basin), intent(inout) :: this
    real(8), intent(in) :: dt
    integer :: i, n
    n = this%n
    !$omp target teams distribute parallel do map(to: this%depth) map(tofrom: this%u)
    do i = 1, n
      if (this%depth(i) < 12) this%u(i) = this%u(i) * (1 - dt)
    end do
  end subroutine

  subroutine run (b, steps)
    type(basin), intent(inout) :: b
    integer, intent(in) :: steps
    real(8), pointer :: h(:), u(:), depth(:)
    integer :: s
    h => b%h
    u => b%u
    depth => b%depth
    !$omp target data map(to: depth) map(tofrom: h, u)
    do s = 1, steps
      call b%momentum (0.001d0)
      call continuity (b, 0.001d0)
      call friction (b, 0.001d0)
    end do
    !$omp end target data
  end subroutine

  subroutine simulate (n, steps)
    integer, intent(in) :: n, steps
    type(basin) :: b
    call b%create (n)
    call run (b, steps)
    print '(2es20.12)', b%h(n / 2), b%u(n / 2)
  end subroutine
end module

program ocean
  use basin_mod
  implicit none
  call simulate (5000, 5)
end program
