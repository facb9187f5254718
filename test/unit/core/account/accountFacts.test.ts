import { deepEqual } from 'node:assert/strict';
import { accountFacts, balanceParts } from '../../../../src/core/account/accountFacts';

describe('displayed account details', () => {
  it('include only nonempty values', () => {
    deepEqual(accountFacts({ status: 'normal', name: '', email: ' ', role: '', isAdmin: false }), [
      { name: 'status', value: 'normal' },
    ]);
  });

  it('include all values of the service, status first and ID last', () => {
    const facts = accountFacts({
      id: 'u1',
      name: 'Ada',
      email: 'a@b',
      role: 'owner',
      introduction: 'hi',
      status: 'normal',
    });
    deepEqual(
      facts.map(({ name }) => name),
      ['status', 'role', 'introduction', 'name', 'email', 'id'],
    );
  });

  it('split the balance as exact text, also if negative', () => {
    deepEqual(balanceParts({ totalBalance: '1', chargeBalance: '-0.10', balance: '1.1000' }), [
      { name: 'chargeBalance', value: '-0.10' },
      { name: 'giftBalance', value: '1.1000' },
    ]);
    deepEqual(balanceParts({ totalBalance: '1' }), []);
  });
});
