import '../../api/jitless';
import * as z from 'zod/mini';
import { agentTool } from '../agentTool';

export const accountBalanceTool = agentTool({
  name: 'inferenceDesk_accountBalance',
  title: 'Account Balance',
  description:
    'Tells the balance and status of the account with the inference service. Use it before work that costs much, or where the service refused for lack of money.',
  input: z.strictObject({}),
  readOnly: true,
  costs: 'nothing',
  async run(_input, host, signal) {
    const { totalBalance, chargeBalance, balance, status } = await host.balance(signal);
    const parts = [
      ...(chargeBalance === undefined ? [] : [`paid in: ${chargeBalance}`]),
      ...(balance === undefined ? [] : [`gifts: ${balance}`]),
    ];
    const total = totalBalance === undefined ? 'The service does not tell the balance.' : `Balance: ${totalBalance}`;
    const text = `${total}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}${status === undefined ? '' : `; status of the account: ${status}`}`;
    const data = Object.entries({ totalBalance, chargeBalance, giftBalance: balance, status });
    return { text, data: Object.fromEntries(data.filter(([, value]) => value !== undefined)) };
  },
});
