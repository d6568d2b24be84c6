-- Idempotency keys, rate limits, last backup.

-- Requests sent with an `Idempotency-Key` and their replies, for 24 hours.

create table idempotencia (
  usuario_id integer not null constraint idempotencia__usuario_id__exists references usuarios on delete cascade,
  -- Keyed hash of caller, route and key.
  chave bytea not null,
  -- Keyed hash of the request: a plain hash would let a password in it be guessed, far faster than from senha_hash.
  pedido bytea not null,
  -- Status and body, encrypted under DATA_KEY; null only inside the transaction of the request.
  resposta bytea,
  criado_em timestamptz not null,
  constraint idempotencia__pk primary key (usuario_id, chave)
);
create index idempotencia__criado_em on idempotencia (criado_em);

-- Requests spent by each account and client address.

create table limites (
  -- `usuario:<id>`, or `endereco:` and a keyed hash of the address.
  chave text constraint limites__pk primary key,
  -- A window begins with the first request after the last one's end.
  minuto_fim timestamptz not null,
  minuto_gasto bigint not null,
  hora_fim timestamptz not null,
  hora_gasto bigint not null,
  -- Granted by the last upsert, which can only return stored columns.
  concedido bigint not null
) with (fillfactor = 50);

-- When the last backup ended and how large it is, for the metrics. One row at most.
create table ultima_copia (
  unico boolean not null default true constraint ultima_copia__pk primary key,
  concluida_em timestamptz not null,
  bytes bigint not null,
  constraint ultima_copia__unico__one check (unico)
);
