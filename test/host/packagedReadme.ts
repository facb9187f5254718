const picture = /<picture>[\s\S]*?<\/picture>\n*/g;
/** Useful only with the repository. */
const omitted = ['Performance', 'Contributing', '参与开发'];
const comment = /<!--[\s\S]*?-->\n*/g;
const relativeLink = /(?<!!)\[([^\]]+)\]\((?!#|https?:|mailto:)[^)\s]+\)/g;
const relativeSource = /\b(src|srcset)="(?!https?:)([^"]+)"/g;

interface Page {
  readonly text: string;
  /** The page's path in the repository. */
  readonly file: string;
}

/**
 * Returns the README that an installed extension shows. VS Code opens no relative links there, so the translation follows in the same page
 * and other relative links become plain text. It shows only pictures that are loaded over https: they are taken from `picturesAt`, a
 * published folder with this repository's files, or are left out.
 */
export function packagedReadme(english: Page, chinese: Page, picturesAt?: string): string {
  const [first = '', ...rest] = english.text.split('\n');
  const [, ...translated] = chinese.text.split('\n');
  const title = '简体中文';
  const linked = [first.replace(/\]\([^)]*\)/, `](#${title})`), ...rest].join('\n');
  const appended = translated
    .join('\n')
    .replace(/^# .+$/m, `# ${title}`)
    .trimStart();
  return [shown({ ...english, text: linked }, picturesAt), shown({ ...chinese, text: appended }, picturesAt)].join(
    '\n---\n\n',
  );
}

function shown({ text, file }: Page, picturesAt: string | undefined): string {
  const illustrated =
    picturesAt === undefined
      ? text.replaceAll(picture, '')
      : text.replaceAll(
          relativeSource,
          (_, name: string, source: string) => `${name}="${new URL(source, new URL(file, picturesAt)).href}"`,
        );
  return omitted
    .reduce((left, title) => without(title, left), illustrated)
    .replaceAll(comment, '')
    .replaceAll(relativeLink, '$1');
}

/** Removes a section. Links to it become plain text. */
function without(title: string, text: string): string {
  const anchor = `#${title.toLowerCase()}`;
  return text
    .replace(new RegExp(`^## ${title}$[\\s\\S]*?(?=^## )`, 'm'), '')
    .replaceAll(new RegExp(`\\[([^\\]]+)\\]\\(${anchor}\\)`, 'g'), '$1');
}
