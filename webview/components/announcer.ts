/** Speaks to a screen reader, politely: whole sentences, one after the other, never what is still growing. */
export interface Announcer {
  say(text: string): void;
}

/** The region keeps a few sentences, because a reader that is busy reads them late. */
const maxKept = 8;

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
      while (region.childElementCount > maxKept) region.firstElementChild?.remove();
    },
  };
}
