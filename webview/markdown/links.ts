import { withoutInvisible } from './invisible';

/** The only schemes allowed for a link in an answer. Anything else stays text. */
const safeScheme = /^(?:https?|mailto):/i;

export function isSafeLink(url: string): boolean {
  return safeScheme.test(url) && URL.canParse(url);
}

/** Returns the shortest true description of a link's target: the host (in ASCII, so that look-alike letters show) or the address. */
export function linkTarget(url: string): string {
  if (!isSafeLink(url)) return withoutInvisible(url);
  const parsed = new URL(url);
  return parsed.protocol === 'mailto:' ? parsed.pathname : parsed.host;
}

/** Whether a link's text already begins with its true target, so that showing the target again would only be noise. */
export function saysItsTarget(text: string, target: string): boolean {
  const shown = text
    .trim()
    .replace(/^(?:https?:\/\/|mailto:)/i, '')
    .toLowerCase();
  const wanted = target.toLowerCase();
  return shown.startsWith(wanted) && /^(?:$|[/?#\s])/.test(shown.slice(wanted.length));
}

/** Returns the host an image would have been loaded from, or the scheme of a URL without one, such as `data:`. */
export function imageSource(url: string): string {
  if (!URL.canParse(url)) return withoutInvisible(url).slice(0, 60);
  const parsed = new URL(url);
  return parsed.host || parsed.protocol;
}
