! Components of derived types: would break if what lies behind a component were said to
! be unknown, or if a number in a type were called by the type's name alone.
! fortran.exp says what the comments at the end mean.  SPDX-License-Identifier: GPL-3.0-or-later
module m
  implicit none
  type field
    integer :: n
    real(8), pointer :: u(:), v(:)
    integer :: last
  end type
contains
  subroutine step (f)
    type(field), intent(inout) :: f
    integer :: i, n
    n = f%n
    !$omp target teams distribute parallel do map(to: f%u) map(tofrom: f%v)
    do i = 1, n
      f%v(i) = f%v(i) + f%u(i)
    end do
  end subroutine
  subroutine count (f)
    type(field), intent(inout) :: f
    integer :: i
    !$omp target teams distribute parallel do map(to: f%u, f%last) map(tofrom: f%v)
    do i = 1, f%last
      f%v(i) = f%u(1)
    end do
  end subroutine
end module
program p
  use m
  type(field) :: f
  f%n = 1000
  f%last = 7
  allocate (f%u(f%n), f%v(f%n))
  f%u = 2
  f%v = 3
  call step (f)
  if (any (f%v /= 5)) stop 1
  call count (f)
  if (any (f%v(1:7) /= 2)) stop 2
end program

! { dump 4 {use f%u read$} }
! { dump 2 {use f%v read$} }
! { dump 1 {use f%v read written$} }
! { dump 1 {use f%v written$} }
! { dump 3 {ref line 18 [rw] size 8 frequency 1 exact base .* shared \[f%[uv]\.dim\[0\]\.stride\*f%[uv]\.span x n\]} }
! { dump 1 {trip f%last exact} }
! { dump none {unknown|behind} }
! { tables {trip count f%last, exact} }
! { tables {in step\n[^\n]*8 arguments\n +trip count n, exact\n +by ranges of n iterations\n} }
! { tables {f%u: to, section,[^\n]*\n(?: +data: [^\n]*\n)* +read, exact\n +locality n; bytes per iteration 8\n} }
! { tables {f%v: tofrom, section,[^\n]*\n(?: +data: [^\n]*\n)* +read and written, exact\n +locality n \+ n; bytes} }
! { tables {f%u: to, section, [^\n]*\n[^\n]*allocated by malloc [^\n]* for f%u\n} }
! { tables {reads 8 bytes at f%v\.offset\*f%v\.span \+ f%v\.dim\[0\]\.stride\*f%v\.span; stride f%v\.dim\[0\]\.stride\*f%v\.span, n times \(shared\); exact} }
