/** What is known of a stored flag, below its form: how it is used, copies to other projects, its history. */
import { FlagCopy } from './FlagCopy.tsx';
import { FlagHistory, type FlagHistoryProps } from './FlagHistory.tsx';
import { FlagUsage } from './FlagUsage.tsx';

export function FlagParts({ reference, flag, timeZone }: FlagHistoryProps) {
  return (
    <>
      <FlagUsage reference={reference} flagKey={flag.key} />
      <FlagCopy reference={reference} flag={flag} />
      <FlagHistory reference={reference} flag={flag} timeZone={timeZone} />
    </>
  );
}
