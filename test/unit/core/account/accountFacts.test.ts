import { deepEqual } from 'node:assert/strict';
import { accountFacts, balanceParts } from '../../../../src/core/account/accountFacts';

describe('what is shown of an account', () => {
  it('is only what holds something', () => {
    deepEqual(accountFacts({ status: 'normal', name: '', email: ' ', role: '', isAdmin: false }), [
      { name: 'status', value: 'normal' },
    ]);
  });

  it('is everything the service tells, status first and the id last', () => {
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

  it('splits the balance as exact text, negative amounts too', () => {
    deepEqual(balanceParts({ totalBalance: '1', chargeBalance: '-0.10', balance: '1.1000' }), [
      { name: 'chargeBalance', value: '-0.10' },
      { name: 'giftBalance', value: '1.1000' },
    ]);
    deepEqual(balanceParts({ totalBalance: '1' }), []);
  });
});
