const picture = /<picture>[\s\S]*?<\/picture>\n*/g;
/** For whoever has the repository. */
const contributors = /^## For contributors$[\s\S]*?(?=^## )/m;
const contributorsLink = / · \[For contributors\]\(#for-contributors\)/;
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
  return shown.replace(contributors, '').replace(contributorsLink, '').replaceAll(relativeLink, '$1');
}
