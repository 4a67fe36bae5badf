! What falls in is copied back, though no region writes it.
! SPDX-License-Identifier: GPL-3.0-or-later
program rain
  implicit none
  integer, parameter :: n = 20000
  real(8), allocatable :: fall(:), level(:)
  real(8) :: all
  integer :: i, day
  allocate (fall(n), level(n))
  all = 0
  do day = 1, 10
    do i = 1, n
      fall(i) = mod (i * day, 17) ! HOST
    end do
#ifdef MENDED
!$omp target teams distribute parallel do map(to: fall) map(from: level)
#else
!$omp target teams distribute parallel do map(tofrom: fall) map(from: level) ! HERE
#endif
    do i = 1, n
      level(i) = 0.5d0 * fall(i)
    end do
    all = all + sum (level)
  end do
  print '(es22.15)', all
end program rain
