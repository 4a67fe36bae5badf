! Sections of arrays that don't begin where the array does: would break if the pointer from which
! subscripts count, which points before what is mapped, were taken for one of unknown origin, or
! its bias were forgotten.  SPDX-License-Identifier: GPL-3.0-or-later
program bias
  implicit none
  real :: a(1000), b(40, 50), s
  integer :: i, k
  do i = 1, 1000
    a(i) = i
  end do
  b = 0
  k = 400
  s = 0
  !$omp target map(tofrom: a(301:400)) map(tofrom: s)
  do i = 301, k
    s = s + a(i)
    a(i) = -a(i)
  end do
  !$omp end target
  !$omp target teams distribute parallel do map(from: b(:, 11:20))
  do i = 11, 20
    b(:, i) = 1
  end do
  if (s /= 35050 .or. a(300) /= 300 .or. a(301) /= -301 .or. a(400) /= -400) stop 1
  if (sum (b) /= 400) stop 2
end program
! { dump 1 {use a read written$} }
! { dump 1 {use s read written$} }
! From GCC 14 on the bias is an argument of the region's, without a name, and no clause's.
! { dump gcc11-13 some {ref line 16 r size 4 .*(base -1\*bias\(a\)|- bias\(a\)) \+ 1200} }
! { dump gcc14- some {ref line 16 r size 4 .*(base -1\*#0|- #0) \+ 1200} }
! { dump 1 {use b written$} }
! { dump none {use .* unknown} }
! { tables {line 22: writes 4 bytes at} }
