import { runCheck } from './runCheck';

process.stdout.on('error', () => process.exit(2));
process.exitCode = await runCheck(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
