import type { ChatHost } from './chatHost';

const prefix = '--desk-code-';

/** Applies the code colours the host sends; the style sheet has defaults for the others. */
export function listenToCodeColours(host: Pick<ChatHost, 'on'>): void {
  const { style } = document.body;
  host.on('chat/codeColours', ({ colours }) => {
    const set = Array.from(style).filter((name) => name.startsWith(prefix));
    for (const name of set) style.removeProperty(name);
    for (const [part, colour] of Object.entries(colours)) style.setProperty(prefix + part, colour);
  });
}
