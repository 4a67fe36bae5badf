! A field that is smoothed and scaled; MENDED: as `ummgr advise' has it.
! SPDX-License-Identifier: GPL-3.0-or-later
program field
  implicit none
  integer, parameter :: n = 25000
  real(8), allocatable :: a(:), b(:), w(:)
  integer :: i, step
  allocate (a(n), b(n), w(n))
  do i = 1, n
    a(i) = mod (i, 11)
    w(i) = 1d0 / (1 + mod (i, 4))
  end do
#ifdef MENDED
!$omp target data map(to: w) map(tofrom: a) map(from: b)
#endif
  do step = 1, 12
!$omp target teams distribute parallel do map(to: w, a) map(from: b)
    do i = 1, n
      b(i) = w(i) * a(i)
    end do
!$omp target teams distribute parallel do map(to: b) map(tofrom: a)
    do i = 1, n
      a(i) = a(i) + 0.5d0 * b(i)
    end do
  end do
#ifdef MENDED
!$omp end target data
#endif
  print '(es22.15)', sum (a) + sum (b)
end program field
