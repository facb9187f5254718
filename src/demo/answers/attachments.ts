export interface Attachment {
  /** A file name or label without its line range; absent if there is none. */
  readonly name?: string;
  /** The language of a code fence, in lower case. */
  readonly language?: string;
  readonly text: string;
  /** The number of the text's first line in its file; 1 if unknown. */
  readonly firstLine?: number;
}

export interface Parts {
  /** The text around the attachments. */
  readonly rest: string;
  readonly attachments: readonly Attachment[];
}

const fence = /(?:^([^\s`][^`\n]{0,200})\n)?^[ \t]*(`{3,})([\w+#.-]*)[^\n]*\n([\s\S]*?)\n?[ \t]*\2[ \t]*$/gm;
const tagged = /<([A-Za-z][\w-]*)((?:\s+[\w-]+="[^"]*")*)\s*>\n?([\s\S]*?)\n?<\/\1>/g;

/** Matches a file name with or without lines, a folder, or the chat's label of a terminal or a list of problems. */
const label =
  /^(?:[^\n]*[\p{L}\p{N}_)\]]\.\w{1,12}(?::\d+(?:-\d+)?)?|[^\s:]+:\d+(?:-\d+)?|[^\s]*\/|Terminal\b.*|Problems\b.*|终端.*|问题.*)$/u;
const isSentence =
  /^\p{Lu}\p{Ll}+ (?:the |this |what |how |me )|^(?:explain|fix|test|document|summari[sz]e|rename|review)\b|[?？:：]$/iu;

function attachmentOf(title: string, language: string, body: string): Attachment {
  const [, name = title, from] = /^(.*?)(?::(\d+)(?:-\d+)?)?$/.exec(title.trim()) ?? [];
  const path = /^\s*(?:#|\/\/|<!--)\s*filepath:\s*(\S+).*\n/.exec(body);
  const text = path === null ? body : body.slice(path[0].length);
  const shown = name === '' ? (path?.[1] ?? '') : name;
  return {
    text,
    ...(shown === '' ? {} : { name: shown }),
    ...(language === '' ? {} : { language: language.toLowerCase() }),
    ...(from === undefined ? {} : { firstLine: Number(from) }),
  };
}

/** Extracts fenced and tagged blocks from a text, along with a file label above a fence. */
export function readParts(text: string): Parts {
  const attachments: Attachment[] = [];
  const rest = text
    .replace(fence, (_, above: string | undefined, __, language: string, body: string) => {
      const title = above?.trim() ?? '';
      const isLabel = label.test(title) && !isSentence.test(title);
      attachments.push(attachmentOf(isLabel ? title : '', language, body));
      return isLabel || title === '' ? '\n' : `${title}\n`;
    })
    .replace(tagged, (_, tag: string, attributes: string, body: string) => {
      const name = /(?:path|name|file|filename|title|source)="([^"]*)"/.exec(attributes)?.[1] ?? tag;
      attachments.push({ name, text: body });
      return '\n';
    })
    .trim();
  return { rest, attachments };
}

/** An editor's agent puts the user's request in a separate tag, with instructions and context around it. */
const wrapped = /<userRequest>\n?([\s\S]*?)\n?<\/userRequest>/g;
const besides = /<attachment\b([^>]*)>\n?([\s\S]*?)\n?<\/attachment>/g;
const excerptOf = /^Excerpt from (.+?), lines? (\d+)(?: to \d+)?:$/m;

/** Returns the user's own words in an agent's request. */
export const ownWords = (text: string): string =>
  ([...text.matchAll(wrapped)].at(-1)?.[1] ?? text).replace(/\s*\(See <attachments>[^)]*\)/, '');

/** Returns the files an editor's agent sends with the user's request; empty if there is no such context. */
export function agentFiles(text: string): readonly Attachment[] {
  if (text.search(wrapped) < 0) return [];
  return [...text.replace(wrapped, '').matchAll(besides)].flatMap(([, attributes = '', body = '']) => {
    const name = /\b(?:filePath|path|id|name)="(?:file:(?:\/\/)?)?([^"]*)"/.exec(attributes)?.[1] ?? '';
    const [, from, line] = excerptOf.exec(body) ?? [];
    const { attachments, rest } = readParts(body);
    const found = attachments.length > 0 ? attachments : rest === '' ? [] : [{ text: rest }];
    return found.map((item) => ({
      ...item,
      name: item.name ?? from ?? name,
      ...(line === undefined ? {} : { firstLine: Number(line) }),
    }));
  });
}

/** Returns the file that is open in the editor of the agent; empty if the text does not say. */
export const currentFile = (text: string): string =>
  /\bcurrent file is (\S+?)\.?(?=\s|$)/.exec(text.replace(wrapped, ''))?.[1] ?? '';
