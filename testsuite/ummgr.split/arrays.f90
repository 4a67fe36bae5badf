! Fortran's arrays: with descriptors, without, allocated; do loops that run down.
! { spread-pieces vadd 3 } { spread-pieces sten 3 } { spread-pieces total 3 } { spread-pieces down 3 }
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
  c = a
  call down (n, a)
  do i = n, 1, -3
    c(i) = c(i) + i
  end do
  if (any (a /= c)) stop 4
end program
