const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * The display's own pointer. A driver's mouse goes straight to the frame under it, so the shell does
 * not see it pass; a person's does not. Page coordinates in, real events out.
 */
export async function openPointer(driver, display) {
  await driver.eval(() => addEventListener("pointermove", (e) => (globalThis.pointerAt = [e.clientX, e.clientY]), true));
  let offset;
  // The bar is the shell's own: somewhere below the browser's tool bar it hears the pointer.
  for (let y = 95; y < 240 && !offset; y += 12) {
    display.xdotool("mousemove", 600, y);
    await pause(150);
    const at = await driver.eval(() => globalThis.pointerAt ?? null);
    if (at) offset = [600 - at[0], y - at[1]];
  }
  if (!offset) throw new Error("the shell hears no pointer");
  const move = async (x, y) => {
    display.xdotool("mousemove", Math.round(offset[0] + x), Math.round(offset[1] + y));
    await pause(200);
  };
  return {
    move,
    async click(x, y) {
      await move(x, y);
      display.xdotool("click", 1);
      await pause(100);
    },
  };
}
