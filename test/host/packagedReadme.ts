const picture = /<picture>[\s\S]*?<\/picture>\n*/g;
/** For whoever has the repository, and what the editor lists of an extension itself, under "Features". */
const leftOut = ['How fast', 'For contributors', 'Settings', 'Commands'];
const relativeLink = /(?<!!)\[([^\]]+)\]\((?!#|https?:|mailto:)[^)\s]+\)/g;
const relativeSource = /\b(src|srcset)="(?!https?:)([^"]+)"/g;

/**
 * The README as an installed extension shows it. The editor's page of an extension, and a marketplace without a repository, show
 * pictures by https alone: they get the address of a folder that holds this repository's files, or are left out. Links to files
 * lead nowhere from there: their words stay.
 */
export function packagedReadme(text: string, picturesAt?: string): string {
  const shown =
    picturesAt === undefined
      ? text.replaceAll(picture, '')
      : text.replaceAll(
          relativeSource,
          (_, name: string, file: string) => `${name}="${new URL(file, picturesAt).href}"`,
        );
  const rest = leftOut.reduce((left, title) => without(title, left), shown);
  return rest.replaceAll(relativeLink, '$1');
}

/** Links to the section become its words. */
function without(title: string, text: string): string {
  const anchor = `#${title.toLowerCase().replaceAll(' ', '-')}`;
  return text
    .replace(new RegExp(`^## ${title}$[\\s\\S]*?(?=^## )`, 'm'), '')
    .replace(` · [${title}](${anchor})`, '')
    .replaceAll(new RegExp(`\\[([^\\]]+)\\]\\(${anchor}\\)`, 'g'), '$1');
}
