import type { ChatWords } from '../../src/features/chat/chatMessages';
import type { CatalogueState } from '../../src/services/models/modelCatalogue';
import { UserError } from '../../src/platform/errors/userError';
import type { WireError } from '../../src/protocol/wire';

export const catalogue: CatalogueState = {
  session: 'signedIn',
  profileId: 'p',
  models: [
    { id: 'vendor/first', types: ['text'], subTypes: ['chat'] },
    { id: 'vendor/second', types: ['text'], subTypes: ['chat'] },
    { id: 'vendor/ranker', types: ['text'], subTypes: ['reranker'] },
  ],
  fetchedAt: 1,
  loading: false,
  error: undefined,
  pins: ['vendor/second'],
  defaults: {},
  changes: { appeared: new Set(), vanished: [] },
};

/** Returns an error of this kind, whose name is used as its message. */
export const plainWords = (kind: string): WireError => ({ kind, title: kind, detail: '', actions: [] });
const error = (name: string) => () => new Error(name);
/** Uses the name of each text as the text. */
export const chatWords: ChatWords = {
  restricted: () => 'restricted',
  noSuchTool: () => 'no such tool',
  cutOff: () => 'cut off',
  cutInput: () => 'cut input',
  callGone: error('callGone'),
  answering: 'Answering',
  emptyAnswer: () => plainWords('emptyAnswer'),
  thoughtOnly: (isLimit) => plainWords(isLimit ? 'thoughtToLimit' : 'thoughtOnly'),
  cutCall: (tool, isLimit) => plainWords(`cutCall ${tool} ${isLimit}`),
  endedWithError: (reason) => plainWords(`endedWithError ${reason}`),
  waiting: ({ limit }) => `waits for ${limit}`,
  tooManyMessages: (messages) => plainWords(`tooMany ${messages}`),
  withoutParameter: (name) => ({ id: `without:${name}`, label: '' }),
  withoutCalls: () => ({ id: 'withoutToolCalls', label: '' }),
  checkModel: (model) => ({ id: `checkModel:${model}`, label: '' }),
  cannotContinue: error('cannotContinue'),
  pickFirst: (answers) => new Error(`pickFirst ${answers.map(({ model }) => model).join()}`),
  noQuestion: error('nothingAsked'),
  noModel: error('noModel'),
  accountChanged: (before, now) => plainWords(`accountChanged ${before} ${now}`),
  modelNotOffered: (models, account, isBound) =>
    new Error(`modelNotOffered ${account} ${models.join()}${isBound ? ' bound' : ''}`),
  stillAnswering: error('stillAnswering'),
  turnGone: error('turnGone'),
  noSuchTurn: error('noSuchTurn'),
  conversationGone: error('conversationGone'),
  openElsewhere: (id, where) => new UserError('openElsewhere', where, [{ id: `openHere:${id}`, label: '' }]),
  newInstead: ({ detail, actions }) => ({ ...plainWords('newInstead'), detail, actions }),
  notWritten: error('notWritten'),
  unsaved: ({ answers, tries }) => plainWords(`unsaved ${answers.size} ${tries}`),
};
