import assert from 'node:assert/strict';
import { apiErrorMessage } from '../../../src/core/agentTools/errorMessages';
import { readErrorCases, runErrorCase } from '../../support/errorCases';

describe('an error of a real service', () => {
  for (const one of readErrorCases('.')) {
    it(`is classified by its content: ${one.name}`, async () => {
      const { kind, hint, message, code, parameter, limit, affordableTokens, sent, billed, tool, toolNot } =
        one.expected;
      const { error, sent: times } = await runErrorCase(one);
      const { details } = error;
      assert.deepEqual([error.kind, details.hint], [kind, hint], `${one.problem} ${error.message}`);
      if (message !== undefined) assert.equal(error.message, message);
      if (code !== undefined) assert.equal(details.code, code);
      assert.deepEqual([details.limit, details.affordableTokens], [limit, affordableTokens]);
      if (parameter !== undefined) assert.equal(details.parameter, parameter);
      if (sent !== undefined) assert.equal(times, sent, 'how often it was sent');
      if (billed !== undefined) assert.equal(details.maybeBilled, billed, 'whether it may have been billed');
      const reported = apiErrorMessage(error);
      if (tool !== undefined) assert.match(reported, new RegExp(tool));
      if (toolNot !== undefined) assert.doesNotMatch(reported, new RegExp(toolNot));
    });
  }
});
