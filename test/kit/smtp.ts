/** A stand-in for an SMTP server: takes mails, keeps them, and answers as it is told to. */
import { type AddressInfo, createServer } from 'node:net';

export interface SmtpService {
  url: string;
  /** Bodies of mails that came, with their headers, oldest first. */
  sent: string[];
  /** What the next mails get instead of 250, one after the other. */
  answers: string[];
  /** Lines of clients, without bodies. */
  lines: string[];
  close(): Promise<void>;
}

/** Starts one on a free port. @param login answer to `AUTH` */
export async function startSmtp(login = '235 Signed in'): Promise<SmtpService> {
  const service = { sent: [] as string[], answers: [] as string[], lines: [] as string[] };
  const server = createServer((socket) => {
    const say = (text: string) => socket.write(`${text}\r\n`);
    let buffer = '';
    let isBody = false;
    socket.setEncoding('utf8');
    socket.on('error', () => undefined);
    socket.on('data', (chunk: string) => {
      buffer += chunk;
      for (;;) {
        const end = isBody ? buffer.indexOf('\r\n.\r\n') : buffer.indexOf('\r\n');
        if (end === -1) return;
        const taken = buffer.slice(0, end);
        buffer = buffer.slice(end + (isBody ? 5 : 2));
        if (isBody) {
          isBody = false;
          const answer = service.answers.shift();
          if (answer === undefined) service.sent.push(taken);
          say(answer ?? '250 Taken');
          continue;
        }
        service.lines.push(taken);
        const word = taken.split(' ')[0]?.toUpperCase();
        if (word === 'EHLO') say('250-stand-in\r\n250 AUTH PLAIN');
        else if (word === 'AUTH') say(login);
        else if (word === 'DATA') {
          isBody = true;
          say('354 Go on');
        } else if (word === 'QUIT') socket.end('221 Bye\r\n');
        else say('250 Fine');
      }
    });
    say('220 stand-in');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...service,
    url: `smtp://marina:s%40cret-of-the-test@127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
