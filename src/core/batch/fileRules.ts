import { fitsJob } from '../catalogue/jobs';
import type { CatalogueModel } from '../catalogue/model';
import { nearestIds } from '../catalogue/nearestIds';
import type { BatchRules } from './services/batchRules';
import type { Problem } from './problem';
import type { LineReading } from './line';
import { bodyWords, envelopeWords, fileWords } from './words/lineWords';

/** A problem that a request has because of the requests before it. */
export interface RequestFinding extends Omit<Problem, 'span'> {
  /** The part of the line to mark. */
  readonly at: 'customId' | 'model' | 'start';
}

const none: readonly RequestFinding[] = [];

/** The model ids the service lists, each with whether it can be used for chat: also `true` if the service states no use for it. */
export type ListedModels = ReadonlyMap<string, boolean>;

/** Returns `undefined` if no models are listed: models are not checked then. */
export function listedModels(models: readonly CatalogueModel[]): ListedModels | undefined {
  if (models.length === 0) return undefined;
  const canChat = (model: CatalogueModel) => model.types.length + model.subTypes.length === 0 || fitsJob(model, 'chat');
  return new Map(models.map((model) => [model.id, canChat(model)]));
}

/** Returns the ids that can be used in a batch, in listed order. */
export function chatModels(listed: ListedModels): readonly string[] {
  return [...listed].flatMap(([id, canChat]) => (canChat ? [id] : []));
}

/** Checks that all lines use the same model and that it is listed for chat. Call it once per request, in file order. */
export type ModelRule = (model: string) => readonly RequestFinding[];

/** For so many models of a file that are not listed, similar ones are searched. */
const mostCompared = 100;

/** Without `listed`, unknown models are not reported. */
export function createModelRule(listed: ListedModels | undefined): ModelRule {
  const known = new Map<string, readonly RequestFinding[]>();
  const chat = listed ? chatModels(listed) : [];
  let first: string | undefined;
  let unlistedSoFar = 0;

  const unlisted = (model: string): readonly RequestFinding[] => {
    if (!listed || listed.size === 0 || listed.get(model) === true) return none;
    const suggestions = unlistedSoFar++ < mostCompared ? nearestIds(model, chat) : [];
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

/** Returns the problems that a request has because of its zero-based number alone. */
export function numberFindings(request: number, { requests }: BatchRules): readonly RequestFinding[] {
  if (request !== requests) return none;
  const message = fileWords.tooManyRequests(requests.toLocaleString('en'));
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

/** Returns all problems of a line, sorted by position. */
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
