/* Stacks that a thread changes between without a system call.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The assembly stores what the called function has to keep, and no more:
     x86-64   rbx, rbp, rsp, r12 to r15, the control bits of mxcsr, the x87 control
	      word: System V ABI, AMD64 supplement, figure 3.4
     aarch64  x19 to x30, sp, d8 to d15, fpcr: AAPCS64, 6.1.1 and 6.1.2
   All others, builds with shadow stacks, which a change would have to change too,
   and AddressSanitizer, which knows swapcontext, have ucontext, which adds a mask of
   signals and system calls.  */

#include "config.h"
#include "simcuda/fiber/stack.h"

#include "base/tsan.h"

#include <stdint.h>

#if defined __SANITIZE_ADDRESS__ || defined SIM_STACK_GENERIC
#define GENERIC
#elif defined __x86_64__ && defined __LP64__ && !(defined __CET__ && __CET__ & 2)
#elif defined __aarch64__ && defined __LP64__ && defined __AARCH64EL__ \
  && !defined __ARM_FEATURE_GCS_DEFAULT
#else
#define GENERIC
#endif

#ifndef GENERIC

/* Store the registers below the stack's top, that at *FROM, and load those at TO.
   A new stack's return address is that of sim_stack_begin, behind which nothing
   is: who unwinds finds no return address there.  Both functions keep one form of
   frame, so that unwinding through a change is right on either stack.  */
void sim_stack_swap (void **from, void *to)
  __attribute__ ((visibility ("hidden")));
extern const char sim_stack_begin[] __attribute__ ((visibility ("hidden")));

#define FUNCTION(NAME)                                                        \
  ".text\n.balign 16\n.globl " NAME "\n.hidden " NAME "\n"                    \
  ".type " NAME ", %function\n"
#define END(NAME) ".cfi_endproc\n.size " NAME ", . - " NAME "\n"

#if defined __x86_64__
asm (FUNCTION ("sim_stack_swap")
     "sim_stack_swap:\n"
     ".cfi_startproc\n"
     "pushq %rbp\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %rbp, 0\n"
     "pushq %rbx\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %rbx, 0\n"
     "pushq %r12\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %r12, 0\n"
     "pushq %r13\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %r13, 0\n"
     "pushq %r14\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %r14, 0\n"
     "pushq %r15\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %r15, 0\n"
     "subq $8, %rsp\n.cfi_adjust_cfa_offset 8\n"
     "stmxcsr (%rsp)\n"
     "fnstcw 4(%rsp)\n"
     "movq %rsp, (%rdi)\n"
     "movq %rsi, %rsp\n"
     "ldmxcsr (%rsp)\n"
     "fldcw 4(%rsp)\n"
     "addq $8, %rsp\n.cfi_adjust_cfa_offset -8\n"
     "popq %r15\n.cfi_adjust_cfa_offset -8\n.cfi_same_value %r15\n"
     "popq %r14\n.cfi_adjust_cfa_offset -8\n.cfi_same_value %r14\n"
     "popq %r13\n.cfi_adjust_cfa_offset -8\n.cfi_same_value %r13\n"
     "popq %r12\n.cfi_adjust_cfa_offset -8\n.cfi_same_value %r12\n"
     "popq %rbx\n.cfi_adjust_cfa_offset -8\n.cfi_same_value %rbx\n"
     "popq %rbp\n.cfi_adjust_cfa_offset -8\n.cfi_same_value %rbp\n"
     "ret\n"
     END ("sim_stack_swap")
     /* The nop, as who unwinds looks one byte before a return address.  */
     FUNCTION ("sim_stack_begin")
     ".cfi_startproc\n"
     ".cfi_undefined %rip\n"
     "nop\n"
     "sim_stack_begin:\n"
     "movq %r13, %rdi\n"
     "callq *%r12\n"
     "ud2\n"
     END ("sim_stack_begin"));

/* In the order of sim_stack_swap's stores.  */
struct frame
{
  uint32_t mxcsr;
  uint16_t fcw;
  void *r15, *r14, *data, *function, *rbx, *rbp;
  const void *to;
};

static void
take_mode (struct frame *frame)
{
  asm ("stmxcsr %0" : "=m" (frame->mxcsr));
  asm ("fnstcw %0" : "=m" (frame->fcw));
}

#else
asm (FUNCTION ("sim_stack_swap")
     "sim_stack_swap:\n"
     ".cfi_startproc\n"
     "sub sp, sp, #176\n.cfi_def_cfa_offset 176\n"
     "stp x29, x30, [sp]\n.cfi_rel_offset x29, 0\n.cfi_rel_offset x30, 8\n"
     "stp x19, x20, [sp, #16]\n.cfi_rel_offset x19, 16\n.cfi_rel_offset x20, 24\n"
     "stp x21, x22, [sp, #32]\n.cfi_rel_offset x21, 32\n.cfi_rel_offset x22, 40\n"
     "stp x23, x24, [sp, #48]\n.cfi_rel_offset x23, 48\n.cfi_rel_offset x24, 56\n"
     "stp x25, x26, [sp, #64]\n.cfi_rel_offset x25, 64\n.cfi_rel_offset x26, 72\n"
     "stp x27, x28, [sp, #80]\n.cfi_rel_offset x27, 80\n.cfi_rel_offset x28, 88\n"
     "stp d8, d9, [sp, #96]\n.cfi_rel_offset d8, 96\n.cfi_rel_offset d9, 104\n"
     "stp d10, d11, [sp, #112]\n.cfi_rel_offset d10, 112\n.cfi_rel_offset d11, 120\n"
     "stp d12, d13, [sp, #128]\n.cfi_rel_offset d12, 128\n.cfi_rel_offset d13, 136\n"
     "stp d14, d15, [sp, #144]\n.cfi_rel_offset d14, 144\n.cfi_rel_offset d15, 152\n"
     "mrs x2, fpcr\n"
     "str x2, [sp, #160]\n"
     "mov x3, sp\n"
     "str x3, [x0]\n"
     "mov sp, x1\n"
     "ldr x3, [sp, #160]\n"
     /* To write it is slow, and it seldom differs.  */
     "cmp x2, x3\n"
     "b.eq 1f\n"
     "msr fpcr, x3\n"
     "1: ldp x29, x30, [sp]\n.cfi_same_value x29\n.cfi_same_value x30\n"
     "ldp x19, x20, [sp, #16]\n.cfi_same_value x19\n.cfi_same_value x20\n"
     "ldp x21, x22, [sp, #32]\n.cfi_same_value x21\n.cfi_same_value x22\n"
     "ldp x23, x24, [sp, #48]\n.cfi_same_value x23\n.cfi_same_value x24\n"
     "ldp x25, x26, [sp, #64]\n.cfi_same_value x25\n.cfi_same_value x26\n"
     "ldp x27, x28, [sp, #80]\n.cfi_same_value x27\n.cfi_same_value x28\n"
     "ldp d8, d9, [sp, #96]\n.cfi_same_value d8\n.cfi_same_value d9\n"
     "ldp d10, d11, [sp, #112]\n.cfi_same_value d10\n.cfi_same_value d11\n"
     "ldp d12, d13, [sp, #128]\n.cfi_same_value d12\n.cfi_same_value d13\n"
     "ldp d14, d15, [sp, #144]\n.cfi_same_value d14\n.cfi_same_value d15\n"
     "add sp, sp, #176\n.cfi_def_cfa_offset 0\n"
     "ret\n"
     END ("sim_stack_swap")
     /* The nop, as who unwinds looks one byte before a return address.  */
     FUNCTION ("sim_stack_begin")
     ".cfi_startproc\n"
     ".cfi_undefined x30\n"
     "nop\n"
     "sim_stack_begin:\n"
     "mov x0, x20\n"
     "blr x19\n"
     "brk #1\n"
     END ("sim_stack_begin"));

/* In the order of sim_stack_swap's stores.  */
struct frame
{
  void *x29;
  const void *to;
  void *function, *data, *x21_to_28[8];
  double d8_to_15[8];
  uint64_t fpcr, unused;
};

static void
take_mode (struct frame *frame)
{
  asm ("mrs %0, fpcr" : "=r" (frame->fpcr));
}
#endif

/* Where the stack's pointer is once FRAME is loaded: a multiple of 16, as at any
   call.  */
static void *
new_stack (void *memory, size_t size, void (*function) (void *), void *data)
{
  uintptr_t end = ((uintptr_t) memory + size) & -(uintptr_t) 16;
  struct frame *frame = (struct frame *) end - 1;
  *frame = (struct frame) { .function = (void *) function, .data = data,
			    .to = sim_stack_begin };
  take_mode (frame);
  return frame;
}

#else
#include <ucontext.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define __asan_unpoison_memory_region(MEMORY, SIZE) ((void) 0)
#endif

/* The context stands on the stack that it is of.  */
static void
sim_stack_swap (void **from, void *to)
{
  /* AddressSanitizer's would clear all of UC_STACK.  */
  ucontext_t context = { .uc_link = NULL };
  *from = &context;
  swapcontext (&context, to);
}

/* makecontext passes integers.  */
static void
begin (unsigned function_high, unsigned function_low, unsigned data_high,
       unsigned data_low)
{
  uintptr_t function = (uintptr_t) function_high << 16 << 16 | function_low;
  uintptr_t data = (uintptr_t) data_high << 16 << 16 | data_low;
  ((void (*) (void *)) function) ((void *) data);
}

/* What was there before may have left without returning.  By itself, as getcontext
   might return twice.  */
static __attribute__ ((noinline)) void *
new_stack (void *memory, size_t size, void (*function) (void *), void *data)
{
  uintptr_t f = (uintptr_t) function, d = (uintptr_t) data;
  uintptr_t end = ((uintptr_t) memory + size) & -(uintptr_t) 64;
  ucontext_t *context = (ucontext_t *) end - 1;
  __asan_unpoison_memory_region (memory, size);
  getcontext (context);
  context->uc_stack.ss_sp = memory;
  context->uc_stack.ss_size = (uintptr_t) context - (uintptr_t) memory;
  context->uc_link = NULL;
  makecontext (context, (void (*) (void)) begin, 4,
	       (unsigned) (f >> 16 >> 16), (unsigned) f,
	       (unsigned) (d >> 16 >> 16), (unsigned) d);
  return context;
}
#endif

static __thread struct sim_stack own;
static __thread struct sim_stack *current;

void
sim_stack_make (struct sim_stack *s, void *memory, size_t size,
		void (*function) (void *), void *data)
{
  s->top = new_stack (memory, size, function, data);
  UMMGR_TSAN (s->tsan = __tsan_create_fiber (0));
}

void
sim_stack_end (struct sim_stack *s)
{
  UMMGR_TSAN (__tsan_destroy_fiber (s->tsan));
  (void) s;
}

struct sim_stack *
sim_stack_current (void)
{
  return current ? current : &own;
}

void
sim_stack_switch (struct sim_stack *to)
{
  struct sim_stack *from = sim_stack_current ();
  current = to;
  UMMGR_TSAN (from->tsan = __tsan_get_current_fiber ());
  UMMGR_TSAN (__tsan_switch_to_fiber (to->tsan, 0));
  sim_stack_swap (&from->top, to->top);
}
