import { deepEqual, equal } from 'node:assert/strict';
import type { SubmitForm, SubmitView } from '../../../../src/protocol/batchSubmit';
import {
  emptyForm,
  faultsOf,
  errorsIn,
  hasRoom,
  hoursOf,
  obstacleOf,
  pairsUsed,
  toRequest,
  uploadOf,
} from '../../../../webview/screens/batchSubmit/form';
import { createSubmitHost, problem, submitBounds } from '../../../support/submitHost';

const form = (part: Partial<SubmitForm> = {}): SubmitForm => ({ ...emptyForm, hours: '24', ...part });
const view = (part: Partial<SubmitView> = {}): SubmitView => createSubmitHost(part).view;
const pair = (key: string, value = 'v') => ({ key, value });
const faultOf = (...pairs: SubmitForm['pairs'][number][]) => faultsOf(form({ pairs }), submitBounds).pairs.at(-1);

describe('the form of a batch', () => {
  it('accepts only whole hours within the bounds', () => {
    deepEqual(
      ['24', ' 48 ', '336', '23', '337', '24.5', '', 'x', '1e2', '-24', '0024'].map((hours) =>
        hoursOf(form({ hours }), submitBounds),
      ),
      [24, 48, 336, ...Array.from({ length: 8 }, () => undefined)],
    );
  });

  it('explains the problem of each pair', () => {
    equal(faultOf(pair('team')), undefined);
    equal(faultOf(pair('', '')), undefined);
    equal(faultOf(pair('team', '')), undefined);
    equal(faultOf(pair(' ', 'x')), 'keyMissing');
    equal(faultOf(pair('k'.repeat(64))), undefined);
    equal(faultOf(pair('k'.repeat(65))), 'keyLong');
    equal(faultOf(pair('a', 'v'.repeat(512))), undefined);
    equal(faultOf(pair('a', 'v'.repeat(513))), 'valueLong');
    equal(faultOf(pair('a'), pair(' a ')), 'keyTwice');
    for (const key of ['name', 'batch_description', 'inference_desk_job']) equal(faultOf(pair(key)), 'keyTaken');
    equal(faultOf(pair('__proto__')), undefined);
  });

  it('has space for thirteen pairs in addition to its own', () => {
    const pairs = Array.from({ length: 13 }, (_, index) => pair(`key ${index}`));
    equal(hasRoom(form({ pairs: pairs.slice(1) }), submitBounds), true);
    equal(hasRoom(form({ pairs }), submitBounds), false);
    equal(pairsUsed(form({ pairs: [...pairs.slice(2), pair('', '')] })), 11);
    const order = toRequest(form({ pairs, name: 'n', description: 'd' }), view());
    equal(Object.keys(order?.metadata ?? {}).length, 15);
  });

  it('suggests only an upload with certainly identical content', () => {
    const sure = { id: 'sure', text: '' };
    const doubtful = { id: 'doubtful', text: '', doubt: 'It may be another one.' };
    equal(uploadOf(form(), [sure, doubtful]), 'sure');
    equal(uploadOf(form(), [doubtful]), undefined);
    equal(uploadOf(form({ upload: 'doubtful' }), [sure, doubtful]), 'doubtful');
    equal(uploadOf(form({ upload: '' }), [sure]), undefined);
    equal(uploadOf(form({ upload: 'gone' }), [sure]), 'sure');
    equal(uploadOf(form({ upload: 'gone' }), []), undefined);
  });

  it('names the one reason that prevents submission', () => {
    const { profileId: _, ...signedOut } = view();
    const errors = { state: 'done', text: '', problems: [problem()] } as const;
    equal(obstacleOf(form(), view()), undefined);
    equal(obstacleOf(form(), { ...signedOut, file: 'gone' }), 'needsSignIn');
    equal(obstacleOf(form(), view({ file: 'gone', isUnsaved: true })), 'needsFile');
    equal(obstacleOf(form(), view({ isUnsaved: true, file: 'changed' })), 'needsSave');
    equal(obstacleOf(form(), view({ file: 'changed' })), 'needsCheck');
    equal(obstacleOf(form(), view({ check: { state: 'stopped' } })), 'needsCheck');
    equal(obstacleOf(form(), view({ check: { state: 'none' } })), undefined);
    equal(obstacleOf(form(), view({ check: errors })), 'needsErrors');
    equal(obstacleOf(form({ takeErrors: true }), view({ check: errors })), undefined);
    const refused = { ...errors, problems: [problem({ refusesFile: true })] };
    equal(obstacleOf(form({ takeErrors: true }), view({ check: refused })), 'needsMending');
    equal(obstacleOf(form({ hours: '1' }), view()), 'needsFields');
    equal(obstacleOf(form({ name: 'n'.repeat(513) }), view()), 'needsFields');
    equal(toRequest(form({ hours: '1' }), view()), undefined);
  });

  it('ignores model errors if another model is used for all lines', () => {
    const ofModel = view({ check: { state: 'done', text: '', problems: [problem({ isOfModel: true })] } });
    equal(errorsIn(form(), ofModel).length, 1);
    equal(errorsIn(form({ model: ' ' }), ofModel).length, 1);
    equal(errorsIn(form({ model: 'm' }), ofModel).length, 0);
    const warned = view({ check: { state: 'done', text: '', problems: [problem({ severity: 'warning' })] } });
    equal(errorsIn(form(), warned).length, 0);
  });
});
