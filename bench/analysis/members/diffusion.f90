! Diffusion of a tracer: Fortran, a derived type with allocatable components, which GCC 12 lets
! regions have by local pointers or as arguments only, and one with pointers.
! SPDX-License-Identifier: GPL-3.0-or-later
module tracer_mod
  implicit none
  type tracer
    integer :: nx, ny
    real(8) :: d
    real(8), allocatable :: c(:,:), next(:,:)
    real(8), allocatable :: source(:)
  end type
  type budget
    integer :: n
    real(8), pointer :: sums(:), most(:)
  end type
contains
  subroutine create (t, b, nx, ny)
    type(tracer), intent(out) :: t
    type(budget), intent(out) :: b
    integer, intent(in) :: nx, ny
    integer :: i
    t%nx = nx
    t%ny = ny
    t%d = 0.1d0
    allocate (t%c(nx, ny), t%next(nx, ny), t%source(nx))
    t%c = 0
    t%c(nx / 2, :) = 1
    t%next = 0
    do i = 1, nx
      t%source(i) = mod (i, 5)
    end do
    b%n = ny
    allocate (b%sums(ny), b%most(ny))
    b%sums = 0
    b%most = 0
  end subroutine

  subroutine spread_out (t)
    type(tracer), intent(inout), target :: t
    real(8), pointer :: c(:,:), next(:,:)
    integer :: i, j, nx, ny
    real(8) :: d
    nx = t%nx
    ny = t%ny
    d = t%d
    c => t%c
    next => t%next
    !$omp target teams distribute parallel do collapse(2) map(to: c) map(tofrom: next)
    do j = 2, ny - 1
      do i = 2, nx - 1
        next(i, j) = c(i, j) + d * (c(i - 1, j) + c(i + 1, j) + c(i, j - 1) + c(i, j + 1) - 4 * c(i, j))
      end do
    end do
  end subroutine

  ! In the first row.
  subroutine add_source (next, source, nx, ny, dt)
    integer, intent(in) :: nx, ny
    real(8), intent(inout) :: next(nx, ny)
    real(8), intent(in) :: source(nx), dt
    integer :: i
    !$omp target teams distribute parallel do map(to: source) map(tofrom: next)
    do i = 1, nx
      next(i, 1) = next(i, 1) + dt * source(i)
    end do
  end subroutine

  subroutine advance (c, next)
    real(8), intent(inout) :: c(:,:)
    real(8), intent(in) :: next(:,:)
    integer :: i, j
    !$omp target teams distribute parallel do collapse(2) map(to: next) map(from: c)
    do j = 1, size (c, 2)
      do i = 1, size (c, 1)
        c(i, j) = next(i, j)
      end do
    end do
  end subroutine

  ! Of each column; those of the whole are for the host.
  subroutine account (b, c)
    type(budget), intent(inout) :: b
    real(8), intent(in) :: c(:,:)
    integer :: i, j, nx, ny
    nx = size (c, 1)
    ny = b%n
    !$omp target teams distribute parallel do map(to: c) map(tofrom: b%sums, b%most)
    do j = 1, ny
      b%sums(j) = 0
      do i = 1, nx
        b%sums(j) = b%sums(j) + c(i, j)
      end do
      b%most(j) = max (b%most(j), b%sums(j))
    end do
  end subroutine
end module

program diffusion
  use tracer_mod
  implicit none
  type(tracer) :: t
  type(budget) :: b
  integer :: step
  call create (t, b, 70, 90)
  do step = 1, 5
    call spread_out (t)
    call add_source (t%next, t%source, t%nx, t%ny, 0.01d0)
    call advance (t%c, t%next)
    call account (b, t%c)
  end do
  print '(3es20.12)', sum (b%sums), b%most(3), t%c(36, 40)
end program
