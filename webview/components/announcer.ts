/** Announces text politely to screen readers: whole sentences, one after the other, never text that is still growing. */
export interface Announcer {
  say(text: string): void;
}

/** The live region holds several sentences, because a busy screen reader reads them late. */
const maxMessages = 8;

export function createAnnouncer(root: HTMLElement): Announcer {
  const region = document.createElement('div');
  region.className = 'spoken';
  region.setAttribute('role', 'status');
  region.setAttribute('aria-live', 'polite');
  root.append(region);
  return {
    say(text) {
      if (!text.trim()) return;
      const sentence = document.createElement('p');
      sentence.textContent = text;
      region.append(sentence);
      while (region.childElementCount > maxMessages) region.firstElementChild?.remove();
    },
  };
}
