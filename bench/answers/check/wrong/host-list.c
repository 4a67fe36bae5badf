// A list of the host is walked by a region.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

struct node
{
  int value;
  struct node *next;
};

int
main (void)
{
  struct node *list = NULL;
  int sum = 0;
  for (int i = 0; i < 10; i++)
    {
      struct node *n = malloc (sizeof *n);
      n->value = i;
      n->next = list;
      list = n;
    }
#pragma omp target map(to: list[0:1]) map(tofrom: sum)
  for (struct node *n = list; n;)
    sum += n->value, n = n->next; // fault: not mapped
  printf ("%d\n", sum);
  return 0;
}
