"use strict";
// The data of a card are packed in its script: JSON in gzip in base64. Fails with a sentence for
// the page.
globalThis.percycle_unpack = async (packed) => {
  if (packed === undefined) throw new Error("The data of this card are missing, so there are no charts and tables: data.js is not there or is damaged.");
  if (!globalThis.DecompressionStream) throw new Error("This browser is too old for the charts and tables: it has no DecompressionStream. The downloads work.");
  try {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  } catch {
    throw new Error("The data of this card are damaged, so there are no charts and tables: data.js cannot be unpacked.");
  }
};
