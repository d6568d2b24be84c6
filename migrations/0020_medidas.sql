-- When the last backup ended and how large it is, for the metrics. One row at most.
create table ultima_copia (
  unico boolean not null default true constraint ultima_copia__pk primary key,
  concluida_em timestamptz not null,
  bytes bigint not null,
  constraint ultima_copia__unico__one check (unico)
);

-- The deliveries given up of late are counted at every look of a monitor.
create index entregas__desistidas on entregas (concluida_em) where estado = 'falhou';
