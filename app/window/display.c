//go:build desktop && linux

// What must be known of the X server before GTK starts.
#include "hook.h"
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <string.h>

int hook_x_display(void) {
  Display *d = XOpenDisplay(NULL);
  if (d) XCloseDisplay(d);
  return d != NULL;
}

char *hook_a11y_bus(void) {
  char *bus = NULL;
  Display *d = XOpenDisplay(NULL);
  if (!d) return strdup("");
  Atom name = XInternAtom(d, "AT_SPI_BUS", True), type;
  unsigned char *value = NULL;
  unsigned long items, after;
  int format;
  if (name != None && XGetWindowProperty(d, DefaultRootWindow(d), name, 0, 1024, False, XA_STRING, &type, &format, &items, &after, &value) == Success && value)
    bus = strdup((char *)value);
  if (value) XFree(value);
  XCloseDisplay(d);
  return bus ? bus : strdup("");
}
