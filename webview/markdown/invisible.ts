/** Characters that change the direction of the following text, so that it reads as something else. */
const directionControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** The same, and those that are not drawn at all, with which two different links look alike. */
const invisible = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;

/**
 * Makes direction controls visible in escaped HTML: the character stays (so that a copy is exact), wrapped in an
 * element that isolates it and shows its code point.
 */
export function markDirectionControls(html: string): string {
  return html.replace(directionControls, (character) => {
    const code = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    return `<span class="md-control" data-code="${code}">${character}</span>`;
  });
}

export function withoutInvisible(text: string): string {
  return text.replace(invisible, '');
}
