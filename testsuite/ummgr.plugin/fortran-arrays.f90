! Fortran's arrays, each behind the descriptor or the pointer that it has: would
! break if what lies behind one were said to be unknown, if the bounds in it were
! lost, or if a pointer that a region assigns to were trusted.  fortran.exp says
! what the comments at the end mean.  SPDX-License-Identifier: GPL-3.0-or-later
program arrays
  implicit none
  integer, parameter :: n = 1000
  real(8), allocatable :: a(:), m(:,:)
  real(8), pointer :: p(:), q(:)
  real(4), target :: t(n)
  real(8) :: s
  integer :: i, j, k
  allocate (a(n), m(n, 7), q(n))
  a = 1
  m = 0
  q = 0
  t = 0
  s = 0
  p => q
  k = n
  !$omp target teams distribute parallel do map(tofrom: a)
  do i = 2, k
    a(i) = a(i) + 1
  end do
  !$omp target teams distribute parallel do collapse(2) map(from: m)
  do j = 1, 7
    do i = 1, k
      m(i, j) = i + j
    end do
  end do
  !$omp target teams distribute parallel do map(from: p)
  do i = 1, k
    p(i) = 3
  end do
  !$omp target teams distribute parallel do map(tofrom: t)
  do i = 1, k, 2
    t(i) = 4
  end do
  !$omp target teams distribute parallel do map(to: a) map(tofrom: s) reduction(+: s)
  do i = 1, k
    s = s + a(i)
  end do
  !$omp target map(tofrom: p, q)
  p => q
  p(1) = 8
  !$omp end target
  call sub (a, m, t, k)
  print '(5f12.1)', s, sum (a), sum (m), sum (q), sum (t)
  if (abs (s - (2 * n - 1)) > 1e-9) stop 1
contains
  subroutine sub (x, y, z, o)
    integer, intent(in) :: o
    real(8), allocatable, intent(inout) :: x(:)
    real(8), intent(inout) :: y(:, :)
    real(4) :: z(*)
    integer :: j
    !$omp target teams distribute parallel do map(tofrom: x)
    do j = 1, o
      x(j) = x(j) + 5
    end do
    !$omp target teams distribute parallel do map(tofrom: y)
    do j = 1, o
      y(j, 2) = 6
    end do
    !$omp target teams distribute parallel do map(tofrom: z(1:o))
    do j = 1, o
      z(j) = z(j) + 7
    end do
  end subroutine
end program

! { dump 2 {ref line 23 [rw] size 8 frequency 1 exact base 8\*a\.offset \+ 16 shared \[8 x k - 1\]$} }
! { dump 1 {ref line 28 w size 8 frequency 1 exact base \S* \+ .* shared \[8\*m\.dim\[1\]\.stride x 7\] shared \[8 x k\]$} }
! { dump 1 {ref line 33 w size 8 frequency 1 exact base .* shared \[p\.dim\[0\]\.stride\*p\.span x k\]$} }
! { dump 1 {ref line 37 w size 4 frequency 1 exact base 0 shared \[8 x \(\(k \+ 1\) / \(2\)\)\]$} }
! { dump 1 {ref line 41 r size 8 frequency 1 exact base 8\*a\.offset \+ 8 shared \[8 x k\]$} }
! { dump 2 {ref line 59 [rw] size 8 frequency 1 exact base 8\*x\.offset \+ 8 shared \[8 x o\]$} }
! { dump 1 {ref line 63 w size 8 frequency 1 exact base .*stride shared \[8\*stride x o\]$} }
! { dump some {use q .*written unknown why pointer p assigned to in the region} }
! Not optimised, and with bounds and descriptors out of the loop.
! { dump some {ops flops 1 integers (13|3) loads (5|1) stores 1 shared \[o\]$} }
! { dump some {ops flops 1 integers (11|3) loads (9|1) stores 1 shared \[k - 1\]$} }
! { dump none {use [amtxy] .*unknown} }
! { tables {GNU Fortran.* regions\n.* in arrays\n.*a: to_pset, record} }
