import type * as z from 'zod/mini';
import type { Citation } from '../messages/messageEvents';
import type { chatCompletionChunk, Grounding, Source } from './chatCompletions.schema';

type Chunk = z.infer<typeof chatCompletionChunk>;
type Choice = NonNullable<Chunk['choices']>[number];

/** Returns the sources that an answer lists, in the order of the numbers in its text. */
export function citationsOf({
  citations,
  search_results,
  web_search,
  references,
  search_info,
  sources,
  vertex_ai_grounding_metadata: grounding = [],
  venice_parameters: venice,
}: Partial<Chunk>): readonly Citation[] {
  const ofGoogle = grounding.flatMap(groundedIn);
  const lists = [
    search_results,
    web_search,
    references,
    search_info?.search_results,
    sources,
    ofGoogle,
    venice?.web_search_citations,
  ];
  const titled = lists.find((list) => list && list.length > 0) ?? [];
  const results = titled.flatMap(citationOf);
  const listed = (citations ?? []).flatMap(citationOf);
  if (listed.length === 0) return results;
  return listed.map((one) => results.find(({ url }) => url === one.url) ?? one);
}

/** Returns the sources next to the text of a choice. */
export function notedIn({ delta, message, groundingMetadata }: Choice): readonly Citation[] {
  const wire = delta ?? message;
  const { annotations = [], executed_tools: tools = [], content, citations = [], context } = wire ?? {};
  const { citation, citations: listed } = wire?.provider_specific_fields ?? {};
  const parts = Array.isArray(content) ? content : [];
  return [
    ...annotations.flatMap((note) => citationOf(note.url_citation ?? note)),
    ...[...citations, ...(context?.citations ?? []), ...(citation ? [citation] : []), ...(listed ?? []).flat()].flatMap(
      citationOf,
    ),
    ...tools.flatMap((tool) => tool.search_results?.results ?? []).flatMap(citationOf),
    ...parts.filter(({ type }) => type === 'tool_reference').flatMap(citationOf),
    ...(groundingMetadata ? groundedIn(groundingMetadata) : []).flatMap(citationOf),
  ];
}

/** Returns the pages that Google found. */
function groundedIn({ groundingChunks: chunks = [] }: Grounding): readonly Source[] {
  return chunks.flatMap(({ web }) => (web ? [{ url: web.uri, title: web.title }] : []));
}

function citationOf(one: string | Source): readonly Citation[] {
  if (typeof one === 'string') return [{ url: one }];
  const url = one.url ?? one.link ?? one.uri ?? one.source?.url;
  const title = one.title ?? one.source?.name;
  return url === undefined ? [] : [{ url, ...(title && { title }) }];
}
