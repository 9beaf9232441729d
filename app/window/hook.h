// What the Go side of the window may ask of the hook. Every function without "gtk" in its
// comment may be called from any thread: it posts to the GTK thread.
#ifndef NEUTRON_WINDOW_HOOK_H
#define NEUTRON_WINDOW_HOOK_H

#include <gtk/gtk.h>
#include <webkit2/webkit2.h>

// Which locks to leave open. Only an e2e build ever passes anything but 0.
enum { OPEN_UNREGISTER = 1, OPEN_PROXY = 2 };

// hook_arm finds the web view, arms every lock that needs no address, and calls windowArmed.
void hook_arm(int open);
// hook_filter compiles rules (JSON, taken over) in dir (taken over), adds them in place of the
// former ones, and calls windowFiltered.
void hook_filter(char *rules, char *dir);
// hook_proxy sends everything but loopback to a proxy (taken over), with its credentials; empty is the dead one.
void hook_proxy(char *address);
// hook_load loads an address (taken over).
void hook_load(char *address);
// hook_end_page ends the web process, whatever it is doing.
void hook_end_page(void);
// hook_hold keeps every key from the page, or lets keys through again.
void hook_hold(int on);
// hook_raise brings the window to the front.
void hook_raise(void);
// hook_quit calls windowClosing, ends the web process and leaves the main loop, once it runs.
void hook_quit(void);
// hook_context makes WebKit's context, whose files go to a directory of that name below the user's data
// and cache directories, and turns the process sandbox on. Call it before GTK starts, on its thread.
void hook_context(const char *name, int sandbox);

// hook_x_display tells whether the X server answers. hook_a11y_bus gives the accessibility bus that is
// announced there, or an empty string; the caller frees it. Both open a connection of their own.
int hook_x_display(void);
char *hook_a11y_bus(void);

// prompt is the native dialog of a page that stands still or keeps ending.
typedef struct {
  char *heading, *text, *note, *second, *first; // first is the default button
  char **names;                                 // NULL-terminated, may be empty
  int arm_ms;                                   // the buttons wait this long
} prompt;
// hook_prompt shows a prompt (taken over) in place of a former one; the choice calls windowAnswered.
void hook_prompt(prompt *p);
// hook_prompt_close takes the prompt away; nothing is called.
void hook_prompt_close(void);

// Shared by the files of the hook, gtk thread only.
extern WebKitWebView *hook_view;
GtkWindow *hook_window(void);
void hook_post(GSourceFunc f, gpointer data);
void lock_arm(WebKitWebView *view, int open);
void input_arm(WebKitWebView *view);

#endif
