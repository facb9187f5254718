import type * as z from 'zod/mini';
import type { Citation } from '../messages/messageEvents';
import type { chatCompletionChunk } from './chatCompletions.schema';

type Chunk = z.infer<typeof chatCompletionChunk>;
type Said = NonNullable<NonNullable<Chunk['choices']>[number]['delta']>;

/** Returns the sources that an answer lists, in the order of the numbers in its text. */
export function citationsOf({
  citations,
  search_results,
  web_search,
  references,
  search_info,
}: Partial<Chunk>): readonly Citation[] {
  const lists = [search_results, web_search, references, search_info?.search_results];
  const titled = lists.find((list) => list && list.length > 0) ?? [];
  const results = titled.flatMap(citationOf);
  const listed = (citations ?? []).flatMap(citationOf);
  if (listed.length === 0) return results;
  return listed.map((one) => results.find(({ url }) => url === one.url) ?? one);
}

export function annotationsOf(wire: Said | undefined): readonly Citation[] {
  const { annotations = [], executed_tools: tools = [], content } = wire ?? {};
  const parts = Array.isArray(content) ? content : [];
  return [
    ...annotations.flatMap((note) => citationOf(note.url_citation ?? note)),
    ...tools.flatMap((tool) => tool.search_results?.results ?? []).flatMap(citationOf),
    ...parts.filter(({ type }) => type === 'tool_reference').flatMap(citationOf),
  ];
}

type Source = { readonly [Name in 'url' | 'link' | 'title']?: string | undefined };

function citationOf(one: string | Source): readonly Citation[] {
  if (typeof one === 'string') return [{ url: one }];
  const url = one.url ?? one.link;
  return url === undefined ? [] : [{ url, ...(one.title && { title: one.title }) }];
}
