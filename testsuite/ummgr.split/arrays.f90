! Fortran's arrays: with descriptors, without, allocated; do loops that run down.
! { spread-pieces vadd 3 } { spread-pieces sten 3 } { spread-pieces total 3 } { spread-pieces down 3 }
! { spread-pieces held 3 } { spread-whole aimed {a map clause of a kind that one device alone has} }
! { split-pieces vadd 7 } { split-pieces sten 7 } { split-pieces total 7 } { split-pieces down 7 }
module m
contains
  subroutine vadd (n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real(8), intent(out) :: c(n)
    integer :: i
    !$omp target teams distribute parallel do map(to: a, b) map(from: c)
    do i = 1, n
      c(i) = a(i) + b(i)
    end do
  end subroutine
  subroutine sten (a, b)
    real(8), intent(in) :: a(:,:)
    real(8), intent(inout) :: b(:,:)
    integer :: i, j
    !$omp target teams distribute parallel do collapse(2) map(to: a) map(tofrom: b)
    do j = 2, size (a, 2) - 1
      do i = 2, size (a, 1) - 1
        b(i,j) = b(i,j) + a(i-1,j) + a(i+1,j) + a(i,j-1) + a(i,j+1)
      end do
    end do
  end subroutine
  subroutine total (n, s)
    integer, intent(in) :: n
    real(8), intent(out) :: s
    real(8), allocatable :: x(:)
    integer :: i
    allocate (x(n))
    x = 2
    s = 1
    !$omp target teams distribute parallel do reduction(+:s) map(to: x)
    do i = 1, n
      s = s + x(i)
    end do
  end subroutine
  ! Mapped around several regions, and again when it is another size.
  subroutine held (n, s)
    integer, intent(in) :: n
    real(8), intent(out) :: s
    real(8), allocatable :: x(:)
    integer :: i, k, size_now
    s = 0
    do k = 1, 2
      size_now = n * k
      allocate (x(-3:size_now - 4))
      x = k
      !$omp target data map(tofrom: x)
      !$omp target teams distribute parallel do
      do i = -3, size_now - 4
        x(i) = x(i) + i
      end do
      !$omp target teams distribute parallel do
      do i = -3, size_now - 4
        x(i) = 2 * x(i)
      end do
      !$omp end target data
      do i = -3, size_now - 4
        if (x(i) /= 2 * (k + i)) stop 5
      end do
      s = s + sum (x)
      deallocate (x)
    end do
  end subroutine
  ! Pointers to sections with steps.
  subroutine aimed (g)
    real(8), intent(inout), target :: g(:,:)
    real(8), pointer :: p(:,:)
    integer :: i, j
    p => g(2::3, :)
    !$omp target teams distribute parallel do map(tofrom: p)
    do j = 1, size (g, 2)
      do i = 1, (size (g, 1) + 1) / 3
        p(i,j) = p(i,j) + 1000
      end do
    end do
  end subroutine
  subroutine down (n, a)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(:)
    integer :: i
    !$omp target teams distribute parallel do map(tofrom: a)
    do i = n, 1, -3
      a(i) = a(i) + i
    end do
  end subroutine
end module
program p
  use m
  integer, parameter :: n = 1003
  real(8) :: a(n), b(n), c(n), g(61,97), h(61,97), k(61,97), s
  integer :: i, j
  do i = 1, n
    a(i) = i
    b(i) = 2 * i
  end do
  call vadd (n, a, b, c)
  if (any (c /= 3 * a)) stop 1
  do j = 1, 97
    do i = 1, 61
      g(i,j) = mod (i * 7 + j, 23)
      h(i,j) = -1
      k(i,j) = -1
    end do
  end do
  call sten (g, h)
  do j = 2, 96
    do i = 2, 60
      k(i,j) = k(i,j) + g(i-1,j) + g(i+1,j) + g(i,j-1) + g(i,j+1)
    end do
  end do
  if (any (h /= k)) stop 2
  call total (n, s)
  if (s /= 2 * n + 1) stop 3
  call held (n, s)
  h = g
  call aimed (h)
  do j = 1, 97
    do i = 1, 61
      if (h(i,j) /= g(i,j) + merge (1000, 0, mod (i, 3) == 2)) stop 6
    end do
  end do
  c = a
  call down (n, a)
  do i = n, 1, -3
    c(i) = c(i) + i
  end do
  if (any (a /= c)) stop 4
end program
! SPDX-License-Identifier: GPL-3.0-or-later
