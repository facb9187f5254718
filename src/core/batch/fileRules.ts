import type { CatalogueModel } from '../catalogue/model';
import { nearestIds } from '../catalogue/nearestIds';
import { maxRequests } from './limits';
import type { Problem } from './problem';
import type { LineReading } from './line';
import { bodyWords, envelopeWords, fileWords } from './words/lineWords';

/** What there is to say of a request because of those before it. */
export interface RequestFinding extends Omit<Problem, 'span'> {
  /** Which part of the line is meant. */
  readonly at: 'customId' | 'model' | 'start';
}

const none: readonly RequestFinding[] = [];

/** The ids the service lists, and whether each may answer a chat: one of which the service tells no use may. */
export type ListedModels = ReadonlyMap<string, boolean>;

/** `undefined` where nothing is listed: nothing is said of models then. */
export function listedModels(models: readonly Pick<CatalogueModel, 'id' | 'subTypes'>[]): ListedModels | undefined {
  if (models.length === 0) return undefined;
  return new Map(models.map(({ id, subTypes }) => [id, subTypes.length === 0 || subTypes.includes('chat')]));
}

/** The ids that may be asked in a batch, in the order in which they are listed. */
export function chatModels(listed: ListedModels): readonly string[] {
  return [...listed].flatMap(([id, canChat]) => (canChat ? [id] : []));
}

/** One model in all lines, and one that is listed for chats. Requests are told in order, once each. */
export type ModelRule = (model: string) => readonly RequestFinding[];

/** Without `listed` nothing is said of unknown models. */
export function createModelRule(listed: ListedModels | undefined): ModelRule {
  const known = new Map<string, readonly RequestFinding[]>();
  let first: string | undefined;

  const unlisted = (model: string): readonly RequestFinding[] => {
    if (!listed || listed.size === 0 || listed.get(model) === true) return none;
    const suggestions = nearestIds(model, chatModels(listed));
    const nearest = suggestions.map((id) => `"${id}"`).join(', ');
    const isListed = listed.has(model);
    const alone = isListed ? bodyWords.modelNotChat : bodyWords.modelUnknown;
    const withNearest = isListed ? bodyWords.modelNotChatNearest : bodyWords.modelUnknownNearest;
    const message = nearest === '' ? alone(model) : withNearest(model, nearest);
    return [{ code: isListed ? 'model.not-chat' : 'model.unknown', message, suggestions, at: 'model' }];
  };
  const findings = (model: string): readonly RequestFinding[] => {
    if (first === undefined || model === first) return unlisted(model);
    const message = bodyWords.modelMixed(model, first);
    return [{ code: 'model.mixed', message, suggestions: [first], at: 'model' }, ...unlisted(model)];
  };
  return (model) => {
    let found = known.get(model);
    if (!found) known.set(model, (found = findings(model)));
    first ??= model;
    return found;
  };
}

/** What there is to say of the request of this number, from 0, because of its number alone. */
export function numberFindings(request: number): readonly RequestFinding[] {
  if (request !== maxRequests) return none;
  const message = fileWords.tooManyRequests('5,000');
  return [{ code: 'file.too-many-requests', message, at: 'start' }];
}

export function duplicateFinding(id: string, firstLine: number): RequestFinding {
  return {
    code: 'custom-id.duplicate',
    message: envelopeWords.idDuplicate(id, firstLine + 1),
    firstLine,
    at: 'customId',
  };
}

/** All there is to say of a line, in the order in which it stands. */
export function withFindings(
  reading: Omit<LineReading, 'isBlank'>,
  findings: readonly RequestFinding[],
): readonly Problem[] {
  if (findings.length === 0) return reading.problems;
  const placed = findings.map(({ at, ...finding }) => ({
    ...finding,
    span: (at === 'start' ? undefined : reading[at]?.span) ?? lineStart,
  }));
  if (placed.length === 1 && reading.problems.length === 0) return placed;
  return [...reading.problems, ...placed].toSorted((a, b) => a.span.start - b.span.start);
}

const lineStart = { start: 0, end: 1 };
