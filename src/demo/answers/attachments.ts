export interface Attachment {
  /** A file name or label, without its range of lines, where one was given. */
  readonly name?: string;
  /** Of a code fence, lower case. */
  readonly language?: string;
  readonly text: string;
  /** The number of its first line in its file; 1 where none was given. */
  readonly firstLine?: number;
}

export interface Parts {
  /** What stands around the attachments. */
  readonly rest: string;
  readonly attachments: readonly Attachment[];
}

const fence = /(?:^([^\s`][^`\n]{0,200})\n)?^[ \t]*(`{3,})([\w+#.-]*)[^\n]*\n([\s\S]*?)\n?[ \t]*\2[ \t]*$/gm;
const tagged = /<([A-Za-z][\w-]*)((?:\s+[\w-]+="[^"]*")*)\s*>\n?([\s\S]*?)\n?<\/\1>/g;

/** A file’s name with or without lines, a folder, or what the chat calls a terminal or a list of problems. */
const label =
  /^(?:[^\n]*[\w)\]]\.\w{1,12}(?::\d+(?:-\d+)?)?|[^\s:]+:\d+(?:-\d+)?|[^\s]*\/|Terminal\b.*|Problems\b.*|终端.*|问题.*)$/;
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

/** Takes what stands in fences and tags out of a text; a file’s label above a fence goes with it. */
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

/** What a person asked stands in a tag of its own, where an editor's agent puts instructions and context around it. */
const wrapped = /<userRequest>\n?([\s\S]*?)\n?<\/userRequest>/g;
const besides = /<attachment\b([^>]*)>\n?([\s\S]*?)\n?<\/attachment>/g;
const excerptOf = /^Excerpt from (.+?), lines? (\d+)(?: to \d+)?:$/m;

/** A person’s own words out of an agent’s request. */
export const ownWords = (text: string): string =>
  ([...text.matchAll(wrapped)].at(-1)?.[1] ?? text).replace(/\s*\(See <attachments>[^)]*\)/, '');

/** The files an editor’s agent sends around a person’s words; none where nothing is around them. */
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

/** The file that is open while a person asks an editor’s agent; empty where it does not tell. */
export const currentFile = (text: string): string =>
  /\bcurrent file is (\S+?)\.?(?=\s|$)/.exec(text.replace(wrapped, ''))?.[1] ?? '';
