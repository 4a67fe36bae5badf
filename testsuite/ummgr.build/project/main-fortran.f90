! The same in Fortran, which needs its own library.  SPDX-License-Identifier: GPL-3.0-or-later
program main
  use iso_c_binding
  implicit none
  interface
    subroutine scale (a, n, by) bind(c)
      import
      real(c_double) :: a(*)
      integer(c_int), value :: n
      real(c_double), value :: by
    end subroutine
    subroutine shift (a, n, by) bind(c)
      import
      real(c_double) :: a(*)
      integer(c_int), value :: n
      real(c_double), value :: by
    end subroutine
  end interface
  integer(c_int), parameter :: n = 20000
  real(c_double), allocatable :: a(:)
  integer :: i
  allocate (a(n))
  !$omp target teams distribute parallel do map(from: a)
  do i = 1, n
    a(i) = i - 1
  end do
  call scale (a, n, 2d0)
  call shift (a, n, 1d0)
  do i = 1, n
    if (a(i) /= 2 * i - 1) error stop "fortran: wrong"
  end do
  print '(a)', "fortran: right"
end program
