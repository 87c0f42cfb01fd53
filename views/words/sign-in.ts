/** Words of the screens before one is signed in: set-up, sign-in, links by e-mail, a new password. */
import type { Part } from './part.ts';

const en = {
  tagline: 'See how people use your product.',
  taglineMore: 'The data stays on your server.',
  needsScript: 'Signing in needs JavaScript. Turn it on and reload the page.',
  otherLanguage: 'Português (Brasil)',

  email: 'E-mail',
  password: 'Password',
  newPassword: 'New password',
  passwordHint: 'At least 8 characters. A few words in a row are good.',

  signIn: {
    title: 'Sign in',
    lead: 'Use the e-mail that you were invited with.',
    submit: 'Sign in',
    busy: 'Signing in…',
    forgot: 'Forgot your password?',
    or: 'or',
    link: 'Get a link by e-mail',
    linkBusy: 'Sending…',
    with: (name: string) => `Continue with ${name}`,
    withBusy: (name: string) => `Going to ${name}…`,
    hosted: (host: string) => `Sign in with your account at ${host}`,
    hostedTitle: (host: string) => `Your account at ${host}`,
    hostedLead: 'The password goes to that service only to be checked; Luneta does not keep it.',
    own: 'Sign in with a Luneta password',
    connect: 'Connect',
    connecting: 'Connecting…',
    toAccount: 'Back to your account',
  },

  sent: {
    title: 'Look into your mail',
    link: (email: string) =>
      `If ${email} has an account, a link that signs you in is on its way. It works for 10 minutes, once.`,
    reset: (email: string) =>
      `If ${email} has an account, a link for a new password is on its way. It works for an hour, once.`,
    nothing: 'Nothing after a few minutes? Look among unwanted mail, or ask whoever runs this Luneta.',
    back: 'Back to sign-in',
  },

  forgot: {
    title: 'Forgot your password?',
    lead: 'We send you a link with which you choose a new one.',
    submit: 'Send the link',
    busy: 'Sending…',
    noMail: 'This Luneta sends no mail, so no link can reach you by itself.',
    noMailOwner:
      'Ask for one here. An owner of your team, or whoever runs this Luneta, can then copy it for you on the screen Mail.',
    noMailCommand: 'You run this server? This command makes a link for an owner:',
    ask: 'Ask for a link',
    askedTitle: 'The link waits for you',
    terminal: 'On the server',
    asked: (email: string) =>
      `If ${email} has an account, an owner of its team, or whoever runs this Luneta, now finds a link for a new password on the screen Mail and can give it to you. It works for an hour, once.`,
  },

  link: {
    title: 'Sign in',
    lead: (email: string) => `As ${email}.`,
    submit: 'Sign in',
    busy: 'Signing in…',
  },

  reset: {
    title: 'Choose a new password',
    lead: (email: string) => `For ${email}. Every device that is signed in will be signed out.`,
    submit: 'Save and sign in',
    busy: 'Saving…',
  },

  confirm: {
    title: 'Confirm your address',
    lead: (email: string) => `Is ${email} yours?`,
    submit: 'Yes, confirm it',
    busy: 'Confirming…',
    done: 'Address confirmed',
    doneText: (email: string) => `${email} is confirmed.`,
    on: 'Continue',
  },

  dead: {
    title: 'This link does not work any more',
    text: 'It was used, it is too old, or a newer one was sent.',
    again: 'Ask for a new one',
    confirmAgain: 'Sign in, and ask for a new one under your account.',
  },

  setUp: {
    title: 'Set up Luneta',
    lead: 'You are the first here. Your account will own this installation.',
    name: 'Your name',
    team: 'Team',
    teamHint: 'Whoever works together. You can invite people later.',
    project: 'First project',
    projectHint: 'One product, website or app.',
    language: 'Language',
    timeZone: 'Time zone',
    timeZoneHint: 'Where the days of the first project begin.',
    token: 'Setup token',
    tokenHint: 'It stands in the log of the server, which only whoever runs it can read.',
    submit: 'Create account',
    busy: 'Creating…',
  },

  errors: {
    email: 'This is not an e-mail address. Write it as name@example.com.',
    emailNeeded: 'Enter your e-mail first.',
    password: 'Enter your password.',
    match: 'E-mail and password do not match. Check both.',
    short: 'Too short: use at least 8 characters.',
    long: 'Too long: use at most 128 characters.',
    common: 'This password is among the first that are tried. Choose another, such as a few words in a row.',
    name: 'Enter a name of at most 100 characters, on one line.',
    timeZone: 'There is no such time zone. Choose one from the list.',
    token: 'This is not the token of this installation. Copy it from the newest lines of the log.',
    taken: 'Somebody has set this Luneta up already.',
    wait: (seconds: string) => `Too many attempts. Try again in ${seconds} s, or choose a new password.`,
  },

  problems: {
    denied: 'The sign-in was broken off there. Nothing has changed.',
    failed: 'The sign-in could not be checked. Try again.',
    unknown:
      'That account is not connected to anybody here. Have you been invited? Sign in with your password or a link, then connect it under your account. If not, ask an owner of a team for an invitation.',
    taken: 'That account is connected to somebody else here.',
    away: 'The other service does not answer. Try again, or sign in with your password.',
  } as Record<string, string>,
};

const ptBR: typeof en = {
  tagline: 'Veja como as pessoas usam o seu produto.',
  taglineMore: 'Os dados ficam no seu servidor.',
  needsScript: 'Para entrar é preciso JavaScript. Ative-o e recarregue a página.',
  otherLanguage: 'English',

  email: 'E-mail',
  password: 'Senha',
  newPassword: 'Nova senha',
  passwordHint: 'Pelo menos 8 caracteres. Algumas palavras seguidas funcionam bem.',

  signIn: {
    title: 'Entrar',
    lead: 'Use o e-mail em que recebeu o convite.',
    submit: 'Entrar',
    busy: 'Entrando…',
    forgot: 'Esqueci a senha',
    or: 'ou',
    link: 'Receber um link por e-mail',
    linkBusy: 'Enviando…',
    with: (name) => `Continuar com ${name}`,
    withBusy: (name) => `Abrindo ${name}…`,
    hosted: (host) => `Entrar com a sua conta em ${host}`,
    hostedTitle: (host) => `Sua conta em ${host}`,
    hostedLead: 'A senha vai a esse serviço só para ser conferida; a Luneta não a guarda.',
    own: 'Entrar com a senha da Luneta',
    connect: 'Conectar',
    connecting: 'Conectando…',
    toAccount: 'Voltar para a sua conta',
  },

  sent: {
    title: 'Veja o seu e-mail',
    link: (email) =>
      `Se ${email} tiver uma conta, um link para entrar está a caminho. Ele vale por 10 minutos, uma vez só.`,
    reset: (email) =>
      `Se ${email} tiver uma conta, um link para a nova senha está a caminho. Ele vale por uma hora, uma vez só.`,
    nothing: 'Nada depois de alguns minutos? Olhe no spam ou fale com quem opera esta Luneta.',
    back: 'Voltar para o login',
  },

  forgot: {
    title: 'Esqueceu a senha?',
    lead: 'Enviamos um link com o qual você escolhe outra.',
    submit: 'Enviar o link',
    busy: 'Enviando…',
    noMail: 'Esta Luneta não envia e-mails, então nenhum link chega sozinho até você.',
    noMailOwner:
      'Peça um aqui. Depois, um proprietário da sua equipe ou quem opera esta Luneta pode copiá-lo para você na tela E-mail.',
    noMailCommand: 'É você quem opera este servidor? Este comando gera um link para um proprietário:',
    ask: 'Pedir um link',
    askedTitle: 'O link espera por você',
    terminal: 'No servidor',
    asked: (email) =>
      `Se ${email} tiver uma conta, um proprietário da equipe ou quem opera esta Luneta encontra agora na tela E-mail um link para a nova senha e pode passá-lo a você. Ele vale por uma hora, uma vez só.`,
  },

  link: {
    title: 'Entrar',
    lead: (email) => `Como ${email}.`,
    submit: 'Entrar',
    busy: 'Entrando…',
  },

  reset: {
    title: 'Escolha uma nova senha',
    lead: (email) => `Para ${email}. Todos os aparelhos conectados serão desconectados.`,
    submit: 'Salvar e entrar',
    busy: 'Salvando…',
  },

  confirm: {
    title: 'Confirme o seu endereço',
    lead: (email) => `${email} é seu?`,
    submit: 'Sim, confirmar',
    busy: 'Confirmando…',
    done: 'Endereço confirmado',
    doneText: (email) => `${email} está confirmado.`,
    on: 'Continuar',
  },

  dead: {
    title: 'Este link não vale mais',
    text: 'Ele já foi usado, passou do prazo ou um mais novo foi enviado.',
    again: 'Pedir outro',
    confirmAgain: 'Entre e peça outro em Sua conta.',
  },

  setUp: {
    title: 'Configurar a Luneta',
    lead: 'Você é a primeira pessoa aqui. A sua conta será proprietária desta instalação.',
    name: 'Seu nome',
    team: 'Equipe',
    teamHint: 'Quem trabalha junto. Você pode convidar pessoas depois.',
    project: 'Primeiro projeto',
    projectHint: 'Um produto, site ou aplicativo.',
    language: 'Idioma',
    timeZone: 'Fuso horário',
    timeZoneHint: 'Onde começam os dias do primeiro projeto.',
    token: 'Token de configuração',
    tokenHint: 'Ele está no log do servidor, que só quem o opera consegue ler.',
    submit: 'Criar conta',
    busy: 'Criando…',
  },

  errors: {
    email: 'Isto não é um endereço de e-mail. Escreva como nome@exemplo.com.br.',
    emailNeeded: 'Preencha o e-mail primeiro.',
    password: 'Preencha a senha.',
    match: 'E-mail e senha não combinam. Confira os dois.',
    short: 'Curta demais: use pelo menos 8 caracteres.',
    long: 'Longa demais: use no máximo 128 caracteres.',
    common: 'Esta senha está entre as primeiras que alguém tenta. Escolha outra, como algumas palavras seguidas.',
    name: 'Preencha um nome de até 100 caracteres, em uma linha.',
    timeZone: 'Esse fuso horário não existe. Escolha um da lista.',
    token: 'Este não é o token desta instalação. Copie-o das últimas linhas do log.',
    taken: 'Alguém já configurou esta Luneta.',
    wait: (seconds) => `Tentativas demais. Tente de novo em ${seconds} s ou escolha uma nova senha.`,
  },

  problems: {
    denied: 'O login foi cancelado por lá. Nada mudou.',
    failed: 'Não foi possível conferir o login. Tente de novo.',
    unknown:
      'Essa conta não está conectada a ninguém aqui. Você recebeu um convite? Entre com a senha ou um link e conecte-a em Sua conta. Se não, peça um convite a um proprietário de equipe.',
    taken: 'Essa conta está conectada a outra pessoa aqui.',
    away: 'O outro serviço não responde. Tente de novo ou entre com a senha.',
  },
};

export const signInWords: Part<typeof en> = { en, 'pt-BR': ptBR };
